export { exampleServer } from './example-server.ts';
export { journalled, readJournal } from './journal.ts';
export { createMemorySecretStore } from './memory-secret-store.ts';
export { createMemorySettingsStore, type MemorySettingsStore } from './memory-settings-store.ts';
export { scriptedServerConfig } from './scripted-server-config.ts';
export { secretStoreContract } from './secret-store-contract.ts';
export type { JournalLine, ServerScript } from './server-script.ts';
export { type SettingsStoreUnderTest, settingsStoreContract } from './settings-store-contract.ts';
