import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type FolderWatch, isOnRemoteDisk, watchFolders } from '@errand/files';
import { type Clock, catchFaults, HostError } from '@errand/host';
import { coalesce } from './coalesce.ts';
import { type FileState, fileStateAt, isSameFile } from './file-state.ts';
import { type PendingPath, PendingPaths } from './pending-paths.ts';
import { type WatchedPaths, watchedPaths } from './watched-paths.ts';

/** Some editors delete a file and create it anew when they save: a deletion is told after this long, in milliseconds. */
const deletionDelay = 300;
/** A file is looked at when nobody has written it for this long: one save is many writes. */
const gather = 100;
/** A new folder is looked at sooner: its files are still waited for. */
const folderGather = 20;
/** How soon a folder that is gone is looked for. */
const returnInterval = 1_000;
/** How often all files are compared where the system does not tell of changes. */
const pollInterval = 5_000;
/** Files that are looked at or told of at once. */
const batchSize = 200;

/** One file that was created, changed or deleted. */
export interface FileChange {
  readonly path: string;
  readonly event: 'created' | 'changed' | 'deleted';
  /** Names this state of the file: of the new one, or of a deleted file the last. */
  readonly version: string;
  readonly size: number;
  /** How many notices of the system this change was put together from. */
  readonly merged: number;
  /** When the first notice came, as monotonic time. */
  readonly since: number;
  /** When the file was changed, in milliseconds since 1970; not known of one that was deleted. */
  readonly changedAt?: number;
}

interface FileChangesPorts {
  readonly folder: string;
  readonly clock: Clock;
  /** Folders whose files are never told of. */
  readonly ignored: () => readonly string[];
  readonly changed: (changes: readonly FileChange[]) => void;
  readonly onFault: (error: unknown) => void;
}

/** The files below a folder that some globs mean, and what happens to them. Watches nothing when there is no glob. */
export class FileChanges implements AsyncDisposable {
  readonly #ports: FileChangesPorts;
  readonly #following;
  readonly #flushing;
  readonly #known = new Map<string, FileState>();
  readonly #folders = new Set<string>();
  readonly #pending = new PendingPaths();
  #globs: readonly string[] = [];
  #wanted: readonly string[] = [];
  #paths: WatchedPaths = watchedPaths([]);
  #watch: FolderWatch | undefined;
  #timer: Disposable | undefined;
  #polling: Disposable | undefined;

  constructor(ports: FileChangesPorts) {
    this.#ports = ports;
    this.#following = coalesce(() => this.#follow(), ports.onFault);
    this.#flushing = coalesce(() => this.#flush(), ports.onFault);
  }

  /** Watches what these globs mean, and no longer what others meant. Resolves when it does. */
  async want(globs: readonly string[]): Promise<void> {
    this.#wanted = [...new Set(globs)].sort();
    this.#following.request();
    await this.#following.idle();
  }

  /** The files that are there. */
  paths(): readonly string[] {
    return [...this.#known.keys()];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.want([]);
    await this.#flushing.idle();
  }

  async #follow(): Promise<void> {
    const globs = this.#wanted;
    if (JSON.stringify(globs) === JSON.stringify(this.#globs)) return;
    const before = this.#paths;
    const wasWatching = this.#globs.length > 0;
    this.#globs = globs;
    this.#paths = watchedPaths(globs, this.#ports.ignored());
    if (globs.length === 0) return this.#stop();
    for (const path of this.#known.keys()) if (!this.#paths.isFile(path)) this.#known.delete(path);
    this.#watch ??= this.#open();
    // Files of globs that were watched before are compared; those of new globs begin as they are.
    await this.#scan('', (path) => !wasWatching || !before.isFile(path));
    this.#pollIfUnwatched();
  }

  #stop(): void {
    this.#watch?.[Symbol.dispose]();
    this.#timer?.[Symbol.dispose]();
    this.#polling?.[Symbol.dispose]();
    this.#watch = this.#timer = this.#polling = undefined;
    this.#known.clear();
    this.#folders.clear();
    this.#pending.clear();
  }

  #open(): FolderWatch {
    return watchFolders(this.#ports.folder, {
      changed: catchFaults((path: string) => {
        this.#pending.count(this.#ports.clock.monotonic());
        if (this.#paths.isFile(path)) this.#touch(path);
        else if (this.#paths.isFolder(path)) this.#touch(path, folderGather);
      }, this.#ports.onFault),
    });
  }

  /** Looks at a path when it has been quiet for so long. */
  #touch(path: string, quiet = gather): void {
    this.#pending.add(path, this.#ports.clock.monotonic(), quiet);
    this.#arm(quiet);
  }

  #arm(wait: number): void {
    if (this.#watch === undefined) return;
    this.#timer ??= this.#ports.clock.after(wait, () => {
      this.#timer = undefined;
      this.#flushing.request();
    });
  }

  async #flush(): Promise<void> {
    // A disk that was taken away has deleted nothing.
    if ((await this.#stateOf('')) !== 'folder') return this.#arm(returnInterval);
    const now = this.#ports.clock.monotonic();
    const { ready, wait } = this.#pending.due(now);
    for (let at = 0; at < ready.length; at += batchSize) {
      const looked = ready.slice(at, at + batchSize).map((one) => this.#look(...one));
      this.#tell((await Promise.all(looked)).filter((change) => change !== undefined));
    }
    if (this.#pending.takeDoubt(now)) await this.#scan('', () => false);
    this.#pollIfUnwatched();
    if (this.#pending.size > 0) this.#arm(Math.min(wait, gather));
  }

  #tell(changes: readonly FileChange[]): void {
    if (changes.length > 0) catchFaults(this.#ports.changed, this.#ports.onFault)(changes);
  }

  async #look(path: string, pending: PendingPath): Promise<FileChange | undefined> {
    const merged = pending.merged;
    const found = await this.#stateOf(path);
    if (this.#watch === undefined) return undefined;
    if (found === undefined) return this.#lookForMissing(path, pending);
    this.#pending.settle(path, pending, merged, this.#ports.clock.monotonic());
    if (found === 'folder') {
      await this.#scan(path, () => false);
      return undefined;
    }
    if (found === 'other' || !this.#paths.isFile(path)) return undefined;
    const known = this.#known.get(path);
    this.#known.set(path, found);
    if (known !== undefined && isSameFile(known, found)) return undefined;
    return changeOf(path, known === undefined ? 'created' : 'changed', found, pending);
  }

  #lookForMissing(path: string, pending: PendingPath): FileChange | undefined {
    const known = this.#known.get(path);
    if (known === undefined) {
      this.#pending.delete(path);
      if (this.#folders.has(path)) this.#dropFolder(path);
      return undefined;
    }
    const now = this.#ports.clock.monotonic();
    pending.missingSince ??= now;
    pending.due = pending.missingSince + deletionDelay;
    if (now < pending.due) return undefined;
    this.#pending.delete(path);
    this.#known.delete(path);
    return changeOf(path, 'deleted', known, pending);
  }

  #dropFolder(folder: string): void {
    this.#watch?.drop(folder);
    for (const path of this.#folders) if (isBelow(path, folder)) this.#folders.delete(path);
    this.#folders.delete(folder);
    for (const path of this.#known.keys()) if (isBelow(path, folder)) this.#touch(path);
  }

  /** Compares the files of a folder, and all below it, with what is known; `isNew` says which ones begin as they are. */
  async #scan(folder: string, isNew: (path: string) => boolean): Promise<void> {
    const missing = new Set([...this.#known.keys()].filter((path) => isBelow(path, folder)));
    const folders = [folder];
    for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
      // Watch first, then read: a change in between is seen twice rather than never.
      this.#watch?.add(next);
      this.#folders.add(next);
      const path = join(this.#ports.folder, next);
      const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
      const compared: Promise<void>[] = [];
      for (const entry of entries) {
        const below = next === '' ? entry.name : `${next}/${entry.name}`;
        if (entry.isDirectory() && this.#paths.isFolder(below)) folders.push(below);
        if (!entry.isFile() || !this.#paths.isFile(below)) continue;
        missing.delete(below);
        compared.push(this.#compare(below, isNew(below)));
      }
      await Promise.all(compared);
    }
    for (const path of missing) this.#touch(path);
  }

  async #compare(path: string, isNew: boolean): Promise<void> {
    const found = await this.#stateOf(path);
    if (typeof found !== 'object' || this.#watch === undefined) return;
    const known = this.#known.get(path);
    if (known === undefined && isNew) this.#known.set(path, found);
    else if (known !== undefined && isSameFile(known, found)) return;
    else if (!this.#pending.has(path)) this.#touch(path);
  }

  #pollIfUnwatched(): void {
    if (this.#polling !== undefined || this.#watch === undefined) return;
    const { problem } = this.#watch;
    if (problem !== undefined) {
      const why = problem.kind === 'refused' ? problem.code : problem.kind;
      const message = `The system does not let all folders be watched (${why}). Changes of files are noticed every ${pollInterval / 1000} seconds.`;
      this.#ports.onFault(new HostError('note_unreadable', message));
    } else if (!isOnRemoteDisk(this.#ports.folder)) return;
    this.#poll();
  }

  #poll(): void {
    this.#polling = this.#ports.clock.after(pollInterval, () => {
      this.#pending.doubt(this.#ports.clock.monotonic());
      this.#flushing.request();
      this.#poll();
    });
  }

  #stateOf(path: string): ReturnType<typeof fileStateAt> {
    return fileStateAt(join(this.#ports.folder, path));
  }
}

function isBelow(path: string, folder: string): boolean {
  return folder === '' || path.startsWith(`${folder}/`);
}

function changeOf(
  path: string,
  event: FileChange['event'],
  { ino, size, mtimeMs, ctimeMs }: FileState,
  { merged, since }: PendingPath,
): FileChange {
  const version = [ino, size, mtimeMs, ctimeMs].join('-');
  const known = { path, event, version, size, merged, since };
  return event === 'deleted' ? known : { ...known, changedAt: ctimeMs };
}

/** When a change was noticed and made. The clock of a disk elsewhere may be another than ours. */
export function noticedIn(folder: string) {
  const isRemote = isOnRemoteDisk(folder);
  return ({ since, changedAt }: Pick<FileChange, 'since' | 'changedAt'>) => ({
    at: since,
    changedAt: isRemote ? undefined : changedAt,
  });
}
