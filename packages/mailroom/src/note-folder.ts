import { createHash } from 'node:crypto';
import { unlinkSync } from 'node:fs';
import {
  editFrontmatter,
  type FrontmatterValues,
  readParts,
  withFrontmatter,
} from '@errand/document/frontmatter';
import {
  type ContainedRoot,
  FilesError,
  moveFile,
  openFolder,
  readFileBelow,
  replaceFile,
  syncFolder,
  temporaryFileIn,
  writeDurably,
} from '@errand/files';
import { FolderScan } from './folder-scan.ts';
import { mailFolders } from './mail-board.ts';
import { ToolFailure } from './mcp-client.ts';
import { factsOf, isMissing, largestNote, parseNote, readNoteText, tooLarge } from './note-file.ts';
import type { MailNote, NoteHead } from './note-head.ts';
import type { NoteFallback, NoteSource } from './note-source.ts';

/** The folders of the mailroom on the disk: read for every round, and written when the vault server cannot be used. */
export class NoteFolder implements NoteSource, NoteFallback {
  readonly fallback = this;
  readonly #root: ContainedRoot;
  readonly #scan: FolderScan;

  constructor(root: ContainedRoot, mostLooked?: number) {
    this.#root = root;
    this.#scan = new FolderScan(root, mostLooked);
  }

  scan(): Promise<readonly NoteHead[]> {
    return this.#scan.look();
  }

  /** A note as it is now; nothing when there is none. */
  async read(path: string): Promise<MailNote | undefined> {
    const segments = path.split('/');
    const folder = mailFolders.find((name) => name === segments[0]);
    if (folder === undefined) return undefined;
    try {
      // Before the text is read: what is written in between is a change to whoever compares.
      using place = openFolder(this.#root, segments.slice(0, -1));
      const facts = factsOf(place.at(segments.at(-1) ?? ''));
      const bytes = await readFileBelow(this.#root, segments, { maximumSize: largestNote });
      const parsed = parseNote(bytes.toString());
      if (facts?.isFile) this.#scan.learn(segments, facts, parsed);
      const { changedAt = 0, inode = '' } = facts ?? {};
      return { ...parsed, path, folder, inode, changedAt, etag: etagOf(bytes) };
    } catch (error) {
      if (isMissing(error)) return undefined;
      if (!(error instanceof FilesError) || error.code !== 'too_large') throw error;
      return { ...tooLarge, path, folder, inode: '', changedAt: 0, etag: '' };
    }
  }

  /** Makes a note; one that is there is left alone, and `conflict` thrown, unless it is the same. */
  async create(path: string, values: FrontmatterValues, body: string): Promise<void> {
    const text = withFrontmatter('', values, body);
    const [name, folders] = split(path);
    using folder = openFolder(this.#root, folders, { create: true });
    using temporary = temporaryFileIn(folder);
    await writeDurably(temporary.path, { bytes: Buffer.from(text), like: undefined, mode: 0o644 });
    const outcome = moveFile({ folder, name: temporary.name }, { folder, name });
    if (outcome !== 'moved') {
      const there = await readNoteText(this.#root, path);
      if (there !== text) throw new ToolFailure('conflict', `There is a note ${path} already.`);
    }
    await syncFolder(folder);
  }

  /** Changes keys, and with them the body if one is given; every other byte stays. */
  async update(path: string, { set, remove = [], body, etag }: NoteChange): Promise<void> {
    const [name, folders] = split(path);
    const text = await readNoteText(this.#root, path);
    if (text === undefined)
      throw new ToolFailure('not_found', `There is no note ${path}.`, { path });
    if (etag !== undefined && etag !== etagOf(Buffer.from(text))) {
      throw new ToolFailure('conflict', `${path} has changed since it was read.`, { path });
    }
    const edited = editFrontmatter(text, { set, remove });
    if (edited === undefined) {
      throw new ToolFailure('parse_error', `The frontmatter of ${path} cannot be changed.`, {
        path,
      });
    }
    const whole =
      body === undefined ? edited : edited.slice(0, readParts(edited).split.bodyStart) + body;
    using folder = openFolder(this.#root, folders);
    const isStillWanted = async () => (await readNoteText(this.#root, path)) === text;
    if (await replaceFile({ folder, name }, whole, { isStillWanted })) return;
    throw new ToolFailure('conflict', `${path} was changed by another program.`, { path });
  }

  /** Gives a note another path; a note that is there is never replaced. */
  async move(from: string, to: string): Promise<void> {
    const [name, folders] = split(to);
    const [oldName, oldFolders] = split(from);
    using source = openFolder(this.#root, oldFolders);
    using target = openFolder(this.#root, folders, { create: true });
    const outcome = moveFile({ folder: source, name: oldName }, { folder: target, name });
    if (outcome === 'missing') throw new ToolFailure('not_found', `There is no note ${from}.`);
    if (outcome === 'elsewhere')
      throw new ToolFailure('invalid_input', `${to} is on another disk than ${from}.`);
    if (outcome !== 'moved')
      throw new ToolFailure('conflict', `${to} exists already.`, { path: to });
    await syncFolder(target);
  }

  /** Takes one of two names of one file away: the rest of a move that was cut off. */
  removeDouble(path: string, other: string): void {
    const [name, folders] = split(path);
    const [otherName, otherFolders] = split(other);
    using folder = openFolder(this.#root, folders);
    using otherFolder = openFolder(this.#root, otherFolders);
    const one = factsOf(folder.at(name));
    const two = factsOf(otherFolder.at(otherName));
    // A file that says it has one name only is no double, whatever its number: some disks give numbers twice.
    if (one !== undefined && one.inode === two?.inode && one.names > 1) unlinkSync(folder.at(name));
  }
}

/** A change of keys, and of the body if one is given. */
export interface NoteChange {
  readonly set: FrontmatterValues;
  readonly remove?: readonly string[];
  readonly body?: string;
  /** The version that was read; another one is a conflict. */
  readonly etag?: string;
}

function split(path: string): readonly [name: string, folders: readonly string[]] {
  const segments = path.split('/');
  return [segments.at(-1) ?? '', segments.slice(0, -1)];
}

function etagOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 32);
}
