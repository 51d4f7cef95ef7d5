export { changeServer } from './change-server.ts';
export {
  describeServerState,
  type ServerCondition,
  type StateDescription,
  stepInWords,
  toolCount,
} from './describe-server-state.ts';
export { serverJson } from './server-json.ts';
export { type RunningTest, ServerTests } from './server-tests.ts';
