import { type FSWatcher, readFileSync, statfsSync, watch } from 'node:fs';
import { join, sep } from 'node:path';
import type { Vault } from '../files/vault.ts';

/** Tells what changes in a vault while it can. */
export interface VaultWatch extends Disposable {
  /** Why changes are not told, as a sentence; undefined while they are. */
  readonly problem: string | undefined;
  /** Watches one more folder. */
  add(folder: string): void;
  /** Stops watching a folder and those below it; `''` is the vault. */
  drop(folder: string): void;
}

export interface WatchOptions {
  /** How many folders may be watched. */
  readonly limit: number;
  /** Called with the path of whatever was made, changed, renamed or removed. */
  readonly changed: (path: string) => void;
}

/** Watches a vault: the systems that can watch a whole tree do, on others each folder is added. */
export function watchVault(vault: Vault, { limit, changed }: WatchOptions): VaultWatch {
  const watchers = new Map<string, FSWatcher>();
  let problem = remoteDisk(vault.root);
  const recursive = process.platform === 'darwin' || process.platform === 'win32';
  const giveUp = (reason: string) => {
    problem ??= reason;
    for (const watcher of watchers.values()) watcher.close();
    watchers.clear();
  };
  const add = (folder: string) => {
    if (problem !== undefined || watchers.has(folder) || (recursive && folder !== '')) return;
    if (watchers.size >= limit) {
      giveUp(`The vault has more folders than the ${limit} this system can watch.`);
      return;
    }
    try {
      const path = join(vault.root, folder);
      const watcher = watch(path, { persistent: false, recursive }, (_, name) =>
        changed(joined(folder, name ?? '')),
      );
      watcher.on('error', () => {
        watcher.close();
        watchers.delete(folder);
        changed(folder);
      });
      watchers.set(folder, watcher);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT' || code === 'ENOTDIR') changed(folder);
      else giveUp(`The system does not let the vault be watched (${code}).`);
    }
  };
  return {
    get problem() {
      return problem;
    },
    add,
    drop(folder) {
      for (const [path, watcher] of watchers) {
        if (folder !== '' && path !== folder && !path.startsWith(`${folder}/`)) continue;
        watcher.close();
        watchers.delete(path);
      }
    },
    [Symbol.dispose]: () => giveUp('The server is stopping.'),
  };
}

/** How many folders one program may watch without taking the system's watches from all others. */
export function watchLimit(): number {
  if (process.platform !== 'linux') return Number.POSITIVE_INFINITY;
  try {
    const total = Number(readFileSync('/proc/sys/fs/inotify/max_user_watches', 'utf8'));
    return Math.floor(total / 2);
  } catch {
    // No such setting, as in some sandboxes: the system says so itself when it is enough.
    return Number.POSITIVE_INFINITY;
  }
}

/** NFS, SMB, CIFS, FUSE, 9P and VirtualBox folders: others change them, and no event tells. */
const remoteTypes = new Set([
  0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x65735546, 0x01021997, 0x786f4256,
]);

function remoteDisk(root: string): string | undefined {
  if (process.platform !== 'linux' || !remoteTypes.has(statfsSync(root).type)) return undefined;
  return 'The vault is on a network or shared disk, which does not tell of changes.';
}

function joined(folder: string, name: string): string {
  if (name === '') return folder;
  const path = sep === '/' ? name : name.replaceAll(sep, '/');
  return folder === '' ? path : `${folder}/${path}`;
}
