import { existsSync, realpathSync } from 'node:fs';

/** A folder that nothing opened below it may leave. */
export interface ContainedRoot {
  /** The folder's real path, with no symbolic link in it. */
  readonly root: string;
  /** Whether paths can start from an open folder, which no link made meanwhile can redirect. */
  readonly holdsFolders: boolean;
}

/** The root at a path, which itself may go through links. Fails as the system does when it is not there. */
export function openContainedRoot(path: string): ContainedRoot {
  return { root: realpathSync.native(path), holdsFolders: existsSync('/proc/self/fd') };
}
