import { type FSWatcher, watch } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { HostError } from '@errand/host';

/** The folders of a vault under watch, one by one: few systems watch a tree, and none leaves parts out. */
export class FolderWatches implements Disposable {
  readonly #vaultFolder: string;
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #notes = new Set<string>();
  readonly #changes = new Set<string>();
  #wake: () => void = () => {};

  constructor(vaultFolder: string) {
    this.#vaultFolder = vaultFolder;
  }

  /** Watches a folder and all below it, and gives the notes that are there. */
  async *walk(folder: string): AsyncGenerator<string, void> {
    // First watched, then read: what comes in between is told twice rather than never.
    if (!this.#watch(folder)) return;
    const entries = await readdir(this.#fileOf(folder), { withFileTypes: true }).catch(() => []);
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = joined(folder, entry.name);
      if (isPassedBy(entry.name)) continue;
      if (entry.isDirectory()) yield* this.walk(path);
      else if (isNote(entry.name)) {
        this.#notes.add(path);
        yield path;
      }
    }
  }

  /** Resolves when something has changed since the changes were last taken. */
  changed(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = () => reject(signal.reason);
      signal.addEventListener('abort', stop, { once: true });
      this.#wake = () => {
        signal.removeEventListener('abort', stop);
        resolve();
      };
      if (signal.aborted) stop();
      else if (this.#changes.size > 0) this.#wake();
    });
  }

  /** The notes that came, changed or went. */
  async *takeChanges(): AsyncGenerator<string, void> {
    const paths = [...this.#changes];
    this.#changes.clear();
    for (const path of paths) {
      const found = await lstat(this.#fileOf(path)).catch(() => undefined);
      const isOneNote = found?.isDirectory() === false && isNote(path);
      if (isOneNote) this.#notes.add(path);
      if (isOneNote) yield path;
      else yield* this.#forget(path);
      // Another folder may have taken the name of one that went.
      if (found?.isDirectory()) yield* this.walk(path);
    }
  }

  [Symbol.dispose](): void {
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  /** What is gone may have been a note or a folder of them. */
  *#forget(path: string) {
    const isGone = (other: string) => other === path || other.startsWith(`${path}/`);
    for (const [folder, watcher] of this.#watchers) {
      if (!isGone(folder)) continue;
      watcher.close();
      this.#watchers.delete(folder);
    }
    for (const note of this.#notes) {
      if (!isGone(note)) continue;
      this.#notes.delete(note);
      yield note;
    }
  }

  /** Watches a folder that is there; says whether it is. */
  #watch(folder: string): boolean {
    if (this.#watchers.has(folder)) return true;
    try {
      const watcher = watch(this.#fileOf(folder), (_, name) => {
        if (name === null || isPassedBy(name)) return;
        this.#changes.add(joined(folder, name));
        this.#wake();
      });
      watcher.on('error', () => {
        watcher.close();
        this.#watchers.delete(folder);
      });
      this.#watchers.set(folder, watcher);
      return true;
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException;
      if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES') return false;
      const message = `The system does not let all folders of this vault be watched (${code}). Name the notes to watch: errand watch NOTE...`;
      throw new HostError('note_unreadable', message, {}, { cause });
    }
  }

  #fileOf(path: string): string {
    return join(this.#vaultFolder, path);
  }
}

/** Hidden files and folders, `.git` and `.obsidian` among them, and installed packages are nobody's notes. */
function isPassedBy(name: string): boolean {
  return name.startsWith('.') || name === 'node_modules';
}

function isNote(name: string): boolean {
  return name.toLowerCase().endsWith('.md');
}

function joined(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}
