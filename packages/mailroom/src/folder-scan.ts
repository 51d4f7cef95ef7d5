import { closeSync, constants, readdirSync, readSync } from 'node:fs';
import type { FrontmatterValues } from '@errand/document/frontmatter';
import {
  type ContainedRoot,
  FilesError,
  isTemporaryName,
  type OpenFolder,
  openFileInSync,
  openFolder,
} from '@errand/files';
import { finishedValues, shortened } from './finished-note.ts';
import { type MailFolder, mailFolders } from './mail-board.ts';
import {
  type FileFacts,
  factsOf,
  isMissing,
  largestNote,
  parseNote,
  readNoteText,
  tooLarge,
} from './note-file.ts';
import type { NoteHead } from './note-head.ts';

/** Looks at the folders of the mailroom on the disk, and remembers what it saw. */
export class FolderScan {
  readonly #root: ContainedRoot;
  readonly #mostLooked: number;
  readonly #places = new Map<string, Place>();
  /** The beginning of a note. */
  readonly #bytes = Buffer.alloc(4096);

  /** `mostLooked`: how many known notes of Done, or of a folder in it, one look looks at. */
  constructor(root: ContainedRoot, mostLooked = 5_000) {
    this.#root = root;
    this.#mostLooked = mostLooked;
  }

  /** Every note of the four folders, and of the folders in Done; only what changed is read again. */
  async look(): Promise<readonly NoteHead[]> {
    const seen = new Set<string>();
    for (const folder of mailFolders) {
      const below = await this.#lookAt([folder]);
      seen.add(folder);
      if (folder !== 'Done') continue;
      for (const name of below) {
        await this.#lookAt([folder, name]);
        seen.add(`${folder}/${name}`);
      }
    }
    for (const path of this.#places.keys()) if (!seen.has(path)) this.#places.delete(path);
    return [...this.#places.values()].flatMap(({ heads }) => [...heads.values()]);
  }

  /** Takes in what was read of a note: the next look may pass by a note of Done that it knows. */
  learn(segments: readonly string[], facts: FileFacts, parsed: ParsedHead): void {
    if (segments[0] === 'Done') this.#keep(segments, facts, parsed);
  }

  /** Looks at one folder; answers with the folders in it. */
  async #lookAt(segments: readonly string[]): Promise<readonly string[]> {
    const isDone = segments[0] === 'Done';
    const place = this.#place(segments);
    let names: readonly string[] = [];
    let found = 0;
    const folders: string[] = [];
    try {
      using open = openFolder(this.#root, segments);
      names = readdirSync(open.at('.')).filter((name) => !name.startsWith('.'));
      // Of very many finished notes, which hardly change, some are looked at each time, in turn.
      const first = place.next % Math.max(1, names.length);
      place.next = first + this.#mostLooked;
      let [looked, read] = [0, 0];
      for (const [index, name] of names.entries()) {
        // A folder of a hundred thousand notes must not keep everything else waiting.
        if (index % 10_000 === 9_999) await nextTurn();
        const known = place.heads.get(name);
        const turn = index < first ? index - first + names.length : index - first;
        const isDue = !isDone || turn < this.#mostLooked;
        if (known !== undefined && !isDue) {
          found += 1;
          continue;
        }
        if (++looked % 1_000 === 0) await nextTurn();
        const facts = factsOf(open.at(name));
        if (facts?.isFolder) folders.push(name);
        const isNote = facts?.isFile && name.endsWith('.md') && !isTemporaryName(name);
        const isKnown = isNote && known !== undefined && isSame(known, facts);
        const parsed =
          isNote && !isKnown ? await this.#readHead(open, [...segments, name], facts) : undefined;
        if (isNote && parsed !== undefined) this.#keep([...segments, name], facts, parsed);
        if (isKnown || parsed !== undefined) found += 1;
        else place.heads.delete(name);
        if (parsed !== undefined && ++read % 50 === 0) await nextTurn();
      }
    } catch (error) {
      // Something else in the place of the folder: nothing is there, and writing says why.
      const isOther =
        error instanceof FilesError && ['not_a_folder', 'outside'].includes(error.code);
      if (!isMissing(error) && !isOther) throw error;
    }
    if (found < place.heads.size) {
      const there = new Set(names);
      for (const name of place.heads.keys()) if (!there.has(name)) place.heads.delete(name);
    }
    return folders;
  }

  async #readHead(
    open: OpenFolder,
    segments: readonly string[],
    { size }: FileFacts,
  ): Promise<ParsedHead | undefined> {
    if (size > largestNote) return tooLarge;
    const values =
      segments[0] === 'Done' ? this.#finishedIn(open, segments.at(-1) ?? '') : undefined;
    if (values !== undefined) return { values };
    const text = await readNoteText(this.#root, segments.join('/'));
    return text === undefined ? undefined : parseNote(text);
  }

  /** What the first bytes of a finished note say; undefined when they are not enough. */
  #finishedIn(folder: OpenFolder, name: string): FrontmatterValues | undefined {
    try {
      const { descriptor } = openFileInSync({ root: this.#root, folder, name }, constants.O_RDONLY);
      try {
        const count = readSync(descriptor, this.#bytes, 0, this.#bytes.length, 0);
        return finishedValues(this.#bytes.subarray(0, count));
      } finally {
        closeSync(descriptor);
      }
    } catch (error) {
      // Replaced or moved at this moment.
      if (error instanceof FilesError || isMissing(error)) return undefined;
      throw error;
    }
  }

  #place(segments: readonly string[]): Place {
    const path = segments.join('/');
    const place = this.#places.get(path) ?? { heads: new Map(), next: 0 };
    this.#places.set(path, place);
    return place;
  }

  #keep(
    segments: readonly string[],
    { inode, changedAt, size, names }: FileFacts,
    { values, problem }: ParsedHead,
  ): void {
    const [folder] = segments as readonly [MailFolder];
    const place = this.#places.get(segments.slice(0, -1).join('/'));
    place?.heads.set(segments.at(-1) ?? '', {
      values: folder === 'Done' ? shortened(values) : values,
      ...(problem !== undefined && { problem }),
      path: segments.join('/'),
      folder,
      inode,
      changedAt,
      size,
      hasOtherNames: names > 1,
    });
  }
}

type ParsedHead = Pick<NoteHead, 'values' | 'problem'>;

/** A folder as it was at the last look. */
interface Place {
  readonly heads: Map<string, NoteHead & { readonly size: number }>;
  /** Where the next look at known notes begins. */
  next: number;
}

function isSame(
  known: NoteHead & { readonly size: number },
  { inode, changedAt, size, names }: FileFacts,
): boolean {
  return (
    known.inode === inode &&
    known.changedAt === changedAt &&
    known.size === size &&
    known.hasOtherNames === names > 1
  );
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
