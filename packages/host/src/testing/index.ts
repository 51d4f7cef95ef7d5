export { containersOf, engineEnv, scriptedContainer, testEngine } from '../docker/testing.ts';
export { type Building, builtOnce } from './built-once.ts';
export { ConnectionBench, callText, soon } from './connection-bench.ts';
export { CuttingProxy } from './cutting-proxy.ts';
export { exampleServer } from './example-server.ts';

export { findAnswerFlaws } from './find-answer-flaws.ts';

export { findClientFlaws } from './find-client-flaws.ts';

export { findLineFlaws } from './find-line-flaws.ts';
export { findParameterFlaws } from './find-parameter-flaws.ts';
export { journalled, readJournal } from './journal.ts';
export { localServer } from './local-server.ts';
export { type MemoryBehaviour, textResult, untilAborted } from './memory-connector.ts';
export { type MemoryHost, memoryHost } from './memory-host.ts';
export { MemoryAttachments, MemoryNotes } from './memory-notes.ts';
export { createMemorySecretStore } from './memory-secret-store.ts';
export { createMemorySettingsStore, type MemorySettingsStore } from './memory-settings-store.ts';
export { createMemoryTrustStore } from './memory-trust-store.ts';
export { type HttpFaults, ScriptedHttpServer } from './scripted-http-server.ts';
export { ScriptedLoginServer } from './scripted-login-server.ts';
export { scriptedServerConfig } from './scripted-server-config.ts';
export { secretStoreContract } from './secret-store-contract.ts';
export type { JournalLine, ServerScript } from './server-script.ts';
export { type SettingsStoreUnderTest, settingsStoreContract } from './settings-store-contract.ts';
export { trustStoreContract } from './trust-store-contract.ts';
export { unusedServerView } from './unused-server-view.ts';
