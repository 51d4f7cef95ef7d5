export { appendLine } from './append-line.ts';
export { type ContainedRoot, openContainedRoot } from './contained-root.ts';
export { fileAt } from './file-at.ts';
export { FilesError, systemReason } from './files-error.ts';
export type { LinkOptions } from './follow-link.ts';
export { type HeldFile, holdFile, holdFileWhenThere } from './held-file.ts';
export { isHidden } from './is-hidden.ts';
export { mergeLateWrite } from './merge-late-write.ts';
export { type FileEntry, hasNoHardLinks, moveFile } from './move-file.ts';
export { type LocatedFile, locateFile, openFileIn, openFileInSync } from './open-file.ts';
export { type FolderOptions, type OpenFolder, openFolder } from './open-folder.ts';
export { openOwnerOnlyFile } from './owner-only-file.ts';
export { fileStamp, pollFiles } from './poll-files.ts';
export { readFileBelow } from './read-file.ts';
export { readIfExists } from './read-if-exists.ts';
export { replaceFile } from './replace-file.ts';
export { rememberMadeFile, replaceHeldFile } from './replace-held-file.ts';
export {
  isTemporaryName,
  removeIfExists,
  removeLeftovers,
  syncFolder,
  temporaryFileIn,
  temporaryName,
} from './temporary-file.ts';
export { type FileText, TextReader } from './text-reader.ts';
export {
  type FolderWatch,
  isOnRemoteDisk,
  type WatchProblem,
  watchFolders,
} from './watch-folders.ts';
export { withFileLock } from './with-file-lock.ts';
export { type NewFile, writeDurably } from './write-durably.ts';
