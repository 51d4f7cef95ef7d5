export { ConnectionBench, callText, soon } from './connection-bench.ts';
export { CuttingProxy } from './cutting-proxy.ts';
export { journalled, readJournal } from './journal.ts';
export { type HttpFaults, ScriptedHttpServer } from './scripted-http-server.ts';
export { scriptedServerConfig } from './scripted-server-config.ts';
export type { JournalLine, ServerScript } from './server-script.ts';
