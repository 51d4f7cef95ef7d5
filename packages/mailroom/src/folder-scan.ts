import { closeSync, constants, opendirSync, readSync } from 'node:fs';
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
  #looks = 0;
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
    const { heads } = place;
    const look = ++this.#looks;
    const folders: string[] = [];
    const prefix = `${segments.join('/')}/`;
    // Of very many finished notes, which hardly change, some are looked at each time, in turn.
    const count = Math.max(1, place.count);
    const first = place.next % count;
    place.next = first + this.#mostLooked;
    let [index, looked, read] = [-1, 0, 0];
    try {
      using open = openFolder(this.#root, segments);
      // All names of a very large folder at once would stay in memory for longer than they are needed. The other folders
      // are listed in one go, so that a note which is renamed meanwhile is not overlooked.
      const bufferSize = isDone ? 8_192 : 65_536;
      using entries = opendirSync(open.at('.'), { bufferSize });
      for (let entry = entries.readSync(); entry !== null; entry = entries.readSync()) {
        const { name } = entry;
        if (name.startsWith('.')) continue;
        index += 1;
        // A folder of a hundred thousand notes must not keep everything else waiting.
        if (index % 10_000 === 9_999) await nextTurn();
        const path = prefix + name;
        const known = heads.get(path);
        const turn = index < first ? index - first + count : index - first;
        const isDue = !isDone || turn < this.#mostLooked;
        if (known !== undefined && !isDue) {
          known.look = look;
          continue;
        }
        if (++looked % 1_000 === 0) await nextTurn();
        const facts = factsOf(open.at(name));
        if (facts?.isFolder) folders.push(name);
        if (!facts?.isFile || !name.endsWith('.md') || isTemporaryName(name)) continue;
        if (known !== undefined && isSame(known, facts)) {
          known.look = look;
          continue;
        }
        const parsed = await this.#readHead(open, [...segments, name], facts);
        if (parsed === undefined) continue;
        this.#keep([...segments, name], facts, parsed);
        if (++read % 50 === 0) await nextTurn();
      }
      place.count = index + 1;
    } catch (error) {
      // Something else in the place of the folder: nothing is there, and writing says why.
      const isOther =
        error instanceof FilesError && ['not_a_folder', 'outside'].includes(error.code);
      if (!isMissing(error) && !isOther) throw error;
    }
    // What was read meanwhile, by whoever, is there.
    for (const [path, head] of heads) if (head.look < look) heads.delete(path);
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
    const place = this.#places.get(path) ?? { heads: new Map(), count: 0, next: 0 };
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
    const path = segments.join('/');
    place?.heads.set(path, {
      values: folder === 'Done' ? shortened(values) : values,
      ...(problem !== undefined && { problem }),
      path,
      folder,
      inode,
      changedAt,
      size,
      hasOtherNames: names > 1,
      look: this.#looks,
    });
  }
}

type ParsedHead = Pick<NoteHead, 'values' | 'problem'>;

interface SeenHead extends NoteHead {
  readonly size: number;
  /** The look that saw it last. */
  look: number;
}

/** A folder as it was at the last look; notes by their paths. */
interface Place {
  readonly heads: Map<string, SeenHead>;
  /** How many entries it had. */
  count: number;
  /** Where the next look at known notes begins. */
  next: number;
}

function isSame(known: SeenHead, { inode, changedAt, size, names }: FileFacts): boolean {
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
