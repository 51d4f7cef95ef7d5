export type { Building } from './built-once.ts';
export { builtOnce } from './built-once.ts';
export { soon } from './connection-bench.ts';
export {
  containersOf,
  engineEnv,
  managedConnector,
  scriptedContainer,
  testEngine,
} from './docker.ts';
export { findAnswerFlaws } from './find-answer-flaws.ts';
export { findLineFlaws } from './find-line-flaws.ts';
export { findParameterFlaws } from './find-parameter-flaws.ts';
export { hostileHeaders, hostileMessage } from './hostile-messages.ts';
export { journalled, readJournal } from './journal.ts';
export { longestTask, taskCategories } from './longest-task.ts';
export { ScriptedHttpServer } from './scripted-http-server.ts';
export { ScriptedLoginServer } from './scripted-login-server.ts';
export { scriptedServerConfig } from './scripted-server-config.ts';
export type { JournalLine, ServerScript } from './server-script.ts';
export { temporaryFolder } from './temporary-folder.ts';
