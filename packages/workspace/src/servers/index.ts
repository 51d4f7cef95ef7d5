export { addServers } from './add-servers.ts';
export { approveServers, type ServerApproval, serverApproval } from './approve-servers.ts';
export { changeServer, removeServer } from './change-server.ts';
export { joinCommand } from './command-line.ts';
export {
  describeServerState,
  describeStep,
  type ServerCondition,
  type StateDescription,
  stateLine,
  toolCount,
} from './describe-server-state.ts';
export { findServer, findServerById } from './find-server.ts';
export { hideSecrets } from './hide-secrets.ts';
export {
  describeOrigin,
  findImportable,
  type ImportableServer,
  type ImportableServers,
  mergeImportable,
  planImport,
  readImportable,
  storeImport,
} from './import-servers.ts';
export { proposeName } from './propose-name.ts';
export { draftOf, readServerDraft } from './read-server-draft.ts';
export { onServersChange, troubledServers } from './server-changes.ts';
export { emptyDraft, type Pair, type ServerDraft } from './server-draft.ts';
export { serverFacts } from './server-facts.ts';
export { serverJson } from './server-json.ts';
export { type RunningTest, ServerTests } from './server-tests.ts';
