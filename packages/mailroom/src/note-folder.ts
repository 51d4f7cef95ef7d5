import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, unlinkSync } from 'node:fs';
import {
  editFrontmatter,
  type FrontmatterValues,
  readParts,
  withFrontmatter,
} from '@errand/document/frontmatter';
import {
  type ContainedRoot,
  FilesError,
  isTemporaryName,
  moveFile,
  openFolder,
  readFileBelow,
  replaceFile,
  syncFolder,
  temporaryFileIn,
  writeDurably,
} from '@errand/files';
import { type MailFolder, mailDecisions, mailFolders } from './mail-board.ts';
import { ToolFailure } from './mcp-client.ts';
import type { MailNote, NoteHead } from './note-head.ts';
import type { NoteFallback, NoteSource } from './note-source.ts';

const largestNote = 4 * 1024 * 1024;

/** The folders of the mailroom on the disk: read for every round, and written when the vault server cannot be used. */
export class NoteFolder implements NoteSource, NoteFallback {
  readonly fallback = this;
  readonly #root: ContainedRoot;
  readonly #heads = new Map<string, NoteHead & { readonly size: number }>();

  constructor(root: ContainedRoot) {
    this.#root = root;
  }

  /** Every note of the four folders; only what changed is read again. */
  async scan(): Promise<readonly NoteHead[]> {
    const seen = new Set<string>();
    for (const folder of mailFolders) {
      const places = folder === 'Done' ? [[folder], ...this.#below(folder)] : [[folder]];
      for (const place of places) await this.#scanPlace(folder, place, seen);
    }
    for (const path of this.#heads.keys()) if (!seen.has(path)) this.#heads.delete(path);
    return [...this.#heads.values()];
  }

  /** A note as it is now; nothing when there is none. */
  async read(path: string): Promise<MailNote | undefined> {
    const segments = path.split('/');
    const folder = mailFolders.find((name) => name === segments[0]);
    if (folder === undefined) return undefined;
    try {
      const bytes = await readFileBelow(this.#root, segments, { maximumSize: largestNote });
      using place = openFolder(this.#root, segments.slice(0, -1));
      const stats = factsOf(place.at(segments.at(-1) ?? ''));
      const { changedAt = 0, inode = '' } = stats ?? {};
      return { ...parse(bytes.toString()), path, folder, inode, changedAt, etag: etagOf(bytes) };
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
      const there = await this.#text(path);
      if (there !== text) throw new ToolFailure('conflict', `There is a note ${path} already.`);
    }
    await syncFolder(folder);
  }

  /** Changes keys, and with them the body if one is given; every other byte stays. */
  async update(path: string, { set, remove = [], body, etag }: NoteChange): Promise<void> {
    const [name, folders] = split(path);
    const text = await this.#text(path);
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
    const isStillWanted = async () => (await this.#text(path)) === text;
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

  async #text(path: string): Promise<string | undefined> {
    try {
      const bytes = await readFileBelow(this.#root, path.split('/'), { maximumSize: largestNote });
      return bytes.toString();
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  #below(name: MailFolder): string[][] {
    try {
      using folder = openFolder(this.#root, [name]);
      return readdirSync(folder.at('.'), { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
        .map((entry) => [name, entry.name]);
    } catch (error) {
      if (isMissing(error) || error instanceof FilesError) return [];
      throw error;
    }
  }

  async #scanPlace(folder: MailFolder, place: readonly string[], seen: Set<string>): Promise<void> {
    let names: string[];
    try {
      using open = openFolder(this.#root, place);
      names = readdirSync(open.at('.'));
      let [looked, read] = [0, 0];
      for (const name of names) {
        // A folder of a hundred thousand notes must not keep everything else waiting.
        if (++looked % 1_000 === 0) await new Promise((resolve) => setImmediate(resolve));
        if (!name.endsWith('.md') || name.startsWith('.') || isTemporaryName(name)) continue;
        const stats = factsOf(open.at(name));
        if (stats === undefined || !stats.isFile) continue;
        const { inode, changedAt, size } = stats;
        const path = [...place, name].join('/');
        seen.add(path);
        const known = this.#heads.get(path);
        if (known?.inode === inode && known.changedAt === changedAt && known.size === size)
          continue;
        const isLarge = size > largestNote;
        const text = isLarge ? '' : await this.#text(path);
        if (text === undefined) continue;
        const { body: _, frontmatter: __, ...parsed } = isLarge ? tooLarge : parse(text);
        const values = folder === 'Done' ? shortened(parsed.values) : parsed.values;
        this.#heads.set(path, { ...parsed, values, path, folder, inode, changedAt, size });
        if (++read % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
    } catch (error) {
      // Something else in the place of the folder: nothing is there, and writing says why.
      const isOther =
        error instanceof FilesError && ['not_a_folder', 'outside'].includes(error.code);
      if (!isMissing(error) && !isOther) throw error;
    }
  }
}

export interface NoteChange {
  readonly set: FrontmatterValues;
  readonly remove?: readonly string[];
  readonly body?: string;
  /** The version that was read; another one is a conflict. */
  readonly etag?: string;
}

/** No mail is so large; nothing of it is read. */
const tooLarge: ReturnType<typeof parse> = {
  values: {},
  body: '',
  problem: 'it is larger than 4 MB',
};

function parse(text: string): Pick<MailNote, 'values' | 'body' | 'problem' | 'frontmatter'> {
  const { split: parts, parsed } = readParts(text);
  const body = text.slice(parts.bodyStart);
  if (parsed?.status === 'broken') {
    const problem = `line ${parsed.line + 1}: ${parsed.reason}`;
    return { values: {}, body, problem, frontmatter: text.slice(0, parts.bodyStart) };
  }
  return { values: parsed?.values ?? {}, body };
}

/** What is kept of finished notes, of which there are many. */
const keptKeys = [
  'type',
  'message_id',
  'thread_id',
  'draft_id',
  'reply_to_message_id',
  'original_message_id',
  'source_message_id',
  'status',
  'decision',
  'sent_message_id',
  'delivery',
  'from',
  'to',
  'subject',
  'priority',
  'date_received',
  'drafted_at',
];

/** A finished mail is known by its id; whoever wants to see more of it reads its note. */
const keptOfMail = ['type', 'message_id', 'status', 'decision'];

function shortened(values: FrontmatterValues): FrontmatterValues {
  const keys = values.type === 'email' ? keptOfMail : keptKeys;
  const kept = keys.filter((key) => Object.hasOwn(values, key));
  return Object.fromEntries(kept.map((key) => [key, ownCopy(values[key])]));
}

/** A part of a text keeps the whole text in memory; a copy does not. Words that most notes have are kept once. */
function ownCopy(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return commonWords.get(value) ?? Buffer.from(value).toString();
}

const commonWords: ReadonlyMap<string, string> = new Map(
  ['email', 'draft_reply', 'done', 'rejected', ...mailDecisions].map((word) => [word, word]),
);

function split(path: string): readonly [name: string, folders: readonly string[]] {
  const segments = path.split('/');
  return [segments.at(-1) ?? '', segments.slice(0, -1)];
}

/** What is at a path. The number of a file may be larger than a number of ours is exact. */
function factsOf(path: string) {
  const stats = lstatSync(path, { throwIfNoEntry: false, bigint: true });
  if (stats === undefined) return undefined;
  return {
    isFile: stats.isFile(),
    inode: `${stats.dev}:${stats.ino}`,
    names: Number(stats.nlink),
    changedAt: Number(stats.mtimeNs) / 1e6,
    size: Number(stats.size),
  };
}

function etagOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 32);
}

function isMissing(error: unknown): boolean {
  if (error instanceof FilesError) return error.code === 'missing';
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
