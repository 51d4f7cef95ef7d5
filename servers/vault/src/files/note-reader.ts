import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  type Stats,
} from 'node:fs';
import { type OpenFolder, openFolder } from './open-folder.ts';
import { maximumNoteSize } from './read-note-file.ts';
import type { Vault } from './vault.ts';

/** The letters of a note as far as they are UTF-8, and the version they are of. */
export interface NoteText {
  readonly text: string;
  readonly stats: Stats;
  /** Whether every byte was UTF-8. */
  readonly isExact: boolean;
}

/** How many folders stay open for the notes to come. */
const foldersKept = 32;

/**
 * Reads many notes by their real paths, quickly: their folders stay open for the next ones until the
 * reader is disposed of, after which it can be used again. Links are never followed, and what cannot
 * be read is just not there.
 */
export class NoteReader implements Disposable {
  readonly #vault: Vault;
  readonly #folders = new Map<string, OpenFolder>();
  #buffer = Buffer.allocUnsafe(64 * 1024);

  constructor(vault: Vault) {
    this.#vault = vault;
  }

  /** The note's present text. */
  read(path: string): NoteText | undefined {
    return this.#try(path, (file) => {
      const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY } = constants;
      const descriptor = openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
      try {
        return this.#readOpen(descriptor);
      } finally {
        closeSync(descriptor);
      }
    });
  }

  /** What the disk says of the note's file. */
  look(path: string): Stats | undefined {
    return this.#try(path, (file) => lstatSync(file, { throwIfNoEntry: false }));
  }

  /** Lets go of the folders that are open. */
  [Symbol.dispose](): void {
    for (const folder of this.#folders.values()) folder[Symbol.dispose]();
    this.#folders.clear();
  }

  #try<T>(path: string, task: (file: string) => T | undefined): T | undefined {
    try {
      const slash = path.lastIndexOf('/');
      return task(this.#open(path.slice(0, Math.max(0, slash))).at(path.slice(slash + 1)));
    } catch (error) {
      if (error instanceof Error && 'code' in error) return undefined;
      throw error;
    }
  }

  #open(path: string): OpenFolder {
    let folder = this.#folders.get(path);
    if (folder === undefined) {
      if (this.#folders.size >= foldersKept) this[Symbol.dispose]();
      folder = openFolder(this.#vault, path === '' ? [] : path.split('/'));
      this.#folders.set(path, folder);
    }
    return folder;
  }

  /** A note that changes while it is read gets a newer time than the one seen here before. */
  #readOpen(descriptor: number): NoteText | undefined {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) return undefined;
    // There, and known to be there, but too much to look into.
    if (stats.size > maximumNoteSize) return { text: '', stats, isExact: true };
    const buffer = this.#bufferFor(stats.size);
    let length = 0;
    while (length < stats.size) {
      const count = readSync(descriptor, buffer, length, stats.size - length, length);
      if (count === 0) break;
      length += count;
    }
    return { ...decode(buffer.subarray(0, length)), stats };
  }

  #bufferFor(size: number): Buffer {
    if (size <= this.#buffer.length) return this.#buffer;
    if (size > 1024 * 1024) return Buffer.allocUnsafe(size);
    this.#buffer = Buffer.allocUnsafe(size * 2);
    return this.#buffer;
  }
}

function decode(bytes: Buffer): Pick<NoteText, 'text' | 'isExact'> {
  const text = bytes.toString('utf8');
  return { text, isExact: !text.includes('\ufffd') || Buffer.from(text).equals(bytes) };
}
