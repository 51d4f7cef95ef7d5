export { openAttachmentFolder } from './attachment-folder.ts';
export { endChildrenLeftBehind } from './child-record.ts';
export { currentPlatform } from './current-platform.ts';
export { defaultEndingTimes, type EndingTimes } from './end-process-tree.ts';
export { openNoteFolder } from './file-note-store.ts';
export { findVaultFolder } from './find-vault-folder.ts';
export { loginShellPath } from './login-shell-path.ts';
export { findProcess, type ProcessRow } from './process-table.ts';
export { openSettingsFile } from './settings-file.ts';
