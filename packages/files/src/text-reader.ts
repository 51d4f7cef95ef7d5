import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  type Stats,
} from 'node:fs';
import type { ContainedRoot } from './contained-root.ts';
import { type OpenFolder, openFolder } from './open-folder.ts';

/** The letters of a file as far as they are UTF-8, and the version they are of. */
export interface FileText {
  readonly text: string;
  readonly stats: Stats;
  /** Whether every byte was UTF-8. */
  readonly isExact: boolean;
}

/** How many folders stay open for the files to come. */
const foldersKept = 32;

/**
 * Reads many files by their real paths, quickly: their folders stay open for the next ones until the
 * reader is disposed of, after which it can be used again. Links are never followed, and what cannot
 * be read is just not there.
 */
export class TextReader implements Disposable {
  readonly #root: ContainedRoot;
  readonly #maximumSize: number;
  readonly #folders = new Map<string, OpenFolder>();
  #buffer = Buffer.allocUnsafe(64 * 1024);

  /** A file that is larger has an empty text. */
  constructor(root: ContainedRoot, maximumSize: number) {
    this.#root = root;
    this.#maximumSize = maximumSize;
  }

  /** The file's present text. */
  read(path: string): FileText | undefined {
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

  /** What the disk says of the file. */
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
      folder = openFolder(this.#root, path === '' ? [] : path.split('/'), { links: 'none' });
      this.#folders.set(path, folder);
    }
    return folder;
  }

  /** A file that changes while it is read gets a newer time than the one seen here before. */
  #readOpen(descriptor: number): FileText | undefined {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) return undefined;
    // There, and known to be there, but too much to look into.
    if (stats.size > this.#maximumSize) return { text: '', stats, isExact: true };
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

function decode(bytes: Buffer): Pick<FileText, 'text' | 'isExact'> {
  const text = bytes.toString('utf8');
  return { text, isExact: !text.includes('\ufffd') || Buffer.from(text).equals(bytes) };
}
