export { journalled, readJournal } from './journal.ts';
export { scriptedServerConfig } from './scripted-server-config.ts';
export type { JournalLine, ServerScript } from './server-script.ts';
