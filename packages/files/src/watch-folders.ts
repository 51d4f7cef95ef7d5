import { type FSWatcher, statfsSync, watch } from 'node:fs';
import { basename, join, sep } from 'node:path';

// `chokidar` looks at every file of a tree one by one: 125 MB for 20,000 files, and no watch for those who
// only need to know where to look again; therefore this one.

/** Tells where something changes below a folder, for as long as the system can say. */
export interface FolderWatch extends Disposable {
  /** Why changes are no longer reported; undefined while they are. */
  readonly problem: WatchProblem | undefined;
  /** The folders that are watched, as paths from the root. */
  readonly folders: Iterable<string>;
  /** Watches one more folder; false when it was watched already, or cannot be. */
  add(folder: string): boolean;
  /** Stops watching a folder and those below it; `''` is the root. */
  drop(folder: string): void;
}

/** More folders than the limit, or a refusal of the system with its code. */
export type WatchProblem =
  | { readonly kind: 'too-many-folders'; readonly limit: number }
  | { readonly kind: 'refused'; readonly code: string };

interface FolderWatchOptions {
  /** How many folders may be watched. */
  readonly limit?: number;
  /** Whether watching keeps the process alive; false by default. */
  readonly persistent?: boolean;
  /**
   * Called with the path, from the root and with forward slashes, of whatever was made, changed, renamed or
   * removed. A folder that is told of itself is no longer watched: it may be another one by now.
   */
  readonly changed: (path: string) => void;
}

/**
 * Watches folders below a root. Systems that can watch a whole tree do, and then only the root is added; on
 * others each folder is.
 */
export function watchFolders(
  root: string,
  { limit = Number.POSITIVE_INFINITY, persistent = false, changed }: FolderWatchOptions,
): FolderWatch {
  const watchers = new Map<string, FSWatcher>();
  let problem: WatchProblem | undefined;
  let isClosed = false;
  const recursive = process.platform === 'darwin' || process.platform === 'win32';
  const closeAll = () => {
    for (const watcher of watchers.values()) watcher.close();
    watchers.clear();
  };
  const giveUp = (reason: WatchProblem) => {
    problem ??= reason;
    closeAll();
    return false;
  };
  const forget = (folder: string, watcher: FSWatcher) => {
    watcher.close();
    if (watchers.get(folder) === watcher) watchers.delete(folder);
    changed(folder);
  };
  const start = (folder: string) => {
    const path = join(root, folder);
    const watcher = watch(path, { persistent, recursive }, (kind, name) => {
      // Under its own name a folder tells that it was removed or moved.
      if (kind === 'rename' && name === basename(path)) forget(folder, watcher);
      else changed(joined(folder, name ?? ''));
    });
    watcher.on('error', () => forget(folder, watcher));
    watchers.set(folder, watcher);
    return true;
  };
  return {
    get problem() {
      return problem;
    },
    get folders() {
      return watchers.keys();
    },
    add(folder) {
      const isCovered = watchers.has(folder) || (recursive && folder !== '');
      if (isClosed || isCovered || problem !== undefined) return false;
      if (watchers.size >= limit) return giveUp({ kind: 'too-many-folders', limit });
      try {
        return start(folder);
      } catch (error) {
        const { code = '' } = error as NodeJS.ErrnoException;
        if (code !== 'ENOENT' && code !== 'ENOTDIR' && code !== 'EACCES') {
          return giveUp({ kind: 'refused', code });
        }
        return false;
      }
    },
    drop(folder) {
      for (const [path, watcher] of watchers) {
        if (folder !== '' && path !== folder && !path.startsWith(`${folder}/`)) continue;
        watcher.close();
        watchers.delete(path);
      }
    },
    [Symbol.dispose]() {
      isClosed = true;
      closeAll();
    },
  };
}

/** NFS, SMB, CIFS, FUSE, 9P and VirtualBox folders. */
const remoteTypes = new Set([
  0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x65735546, 0x01021997, 0x786f4256,
]);

/** Whether others may change a folder without any event here: it is on a network or shared disk. */
export function isOnRemoteDisk(folder: string): boolean {
  return process.platform === 'linux' && remoteTypes.has(statfsSync(folder).type);
}

function joined(folder: string, name: string): string {
  if (name === '') return folder;
  const path = sep === '/' ? name : name.replaceAll(sep, '/');
  return folder === '' ? path : `${folder}/${path}`;
}
