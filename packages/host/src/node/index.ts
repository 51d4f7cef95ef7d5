export { endChildrenLeftBehind } from './child-record.ts';
export { currentPlatform } from './current-platform.ts';
export { defaultEndingTimes, type EndingTimes } from './end-process-tree.ts';
export { findVaultFolder } from './find-vault-folder.ts';
export { openKeychain } from './keychain.ts';
export { loginShellPath } from './login-shell-path.ts';
export { findProcess, type ProcessRow } from './process-table.ts';
export { openSecretFile } from './secret-file.ts';
export { openSettingsFile } from './settings-file.ts';
