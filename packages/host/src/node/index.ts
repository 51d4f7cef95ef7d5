export { endChildrenLeftBehind } from './child-record.ts';
export { defaultEndingTimes, type EndingTimes } from './end-process-tree.ts';
export { loginShellPath } from './login-shell-path.ts';
export { findProcess, type ProcessRow } from './process-table.ts';
