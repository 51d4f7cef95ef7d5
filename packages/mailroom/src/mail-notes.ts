import type { FrontmatterValues } from '@errand/document/frontmatter';
import { findDoubles } from './find-doubles.ts';
import type { MailFolder } from './mail-board.ts';
import { type MCPClient, ToolFailure } from './mcp-client.ts';
import type { NoteChange } from './note-folder.ts';
import { kindOf, type MailNote, type NoteHead, textOf } from './note-head.ts';
import { NoteIndex, ownId } from './note-index.ts';
import { noteName } from './note-name.ts';
import type { NoteFallback, NoteSource } from './note-source.ts';

interface NewNote {
  readonly folder: MailFolder;
  readonly time: number;
  readonly subject: string;
  readonly values: FrontmatterValues;
  readonly body: string;
}

export interface MailNotesPorts {
  readonly source: NoteSource;
  readonly vault: MCPClient;
  readonly monotonic: () => number;
  /** A look at the folders is good for so long, unless something is not where it was. */
  readonly freshMs: number;
}

/** Names with a number that are tried when a name is taken. */
const mostClashes = 998;
/** So often a note is followed that moves while something is done with it. */
const mostMoves = 3;

/** The notes of the mailroom: looked at on the disk or through the vault server, changed through the vault server. */
export class MailNotes {
  readonly #ports: MailNotesPorts;
  readonly #index = new NoteIndex();
  #scannedAt = Number.NEGATIVE_INFINITY;
  #scanning: Promise<void> | undefined;
  #nextScan: Promise<void> | undefined;
  /** Paths that were written or left while a look at the folders was going on. */
  readonly #touched = new Set<string>();

  constructor(ports: MailNotesPorts) {
    this.#ports = ports;
  }

  /** The notes as they were at the last look. */
  get heads(): readonly NoteHead[] {
    return this.#index.heads;
  }

  /** Looks at all folders. */
  refresh(): Promise<void> {
    if (this.#scanning === undefined) return this.#scan();
    // A look that has begun may have passed by what is different since.
    this.#nextScan ??= this.#scanning
      .catch(() => undefined)
      .then(() => {
        this.#nextScan = undefined;
        return this.refresh();
      });
    return this.#nextScan;
  }

  /** The note with this Gmail id, draft id or path, as it is now. One that has left its path is found where it went. */
  async locate(id: string, kind?: 'mail' | 'draft'): Promise<MailNote | undefined> {
    const found = await this.#locate(id, kind);
    if (found !== undefined) return found;
    const former = this.#index.former(id);
    if (former === undefined || (kind !== undefined && former.kind !== kind)) return undefined;
    if (former.id !== undefined) return this.#locate(former.id, former.kind);
    // The file of a note that was deleted may be another note's by now: one that has an id was never this one.
    const head = this.heads.find(
      (each) =>
        each.inode === former.inode && ownId(each) === undefined && kindOf(each) === former.kind,
    );
    return head && this.read(head.path);
  }

  /** Does something with a note where it is, and again when it was moved meanwhile. */
  async follow<Result>(
    found: MailNote | undefined,
    act: (note: MailNote) => Promise<Result>,
  ): Promise<Result | undefined> {
    let note = found;
    for (let moves = 0; note !== undefined; moves += 1) {
      const { path } = note;
      try {
        return await act(note);
      } catch (error) {
        const isMissing = error instanceof ToolFailure && error.code === 'not_found';
        if (!isMissing || moves === mostMoves || (await this.read(path)) !== undefined) throw error;
        await this.refresh();
        note = await this.locate(path);
      }
    }
    return undefined;
  }

  read(path: string): Promise<MailNote | undefined> {
    return this.#ports.source.read(path);
  }

  /** Makes a note, with a number in its name when the name is taken. `id` recognises it when it is there already. */
  async create(
    { folder, time, subject, values, body }: NewNote,
    session: string,
    signal?: AbortSignal,
  ): Promise<string> {
    const { vault } = this.#ports;
    const id = textOf({ values }, 'draft_id') ?? textOf({ values }, 'message_id') ?? '';
    for (let clash = 0; ; clash += 1) {
      const path = `${folder}/${noteName(time, subject, clash)}`;
      // Hundreds of mails with one subject in one minute: names that are known to be taken are not tried.
      if (clash <= mostClashes && this.#isTaken(path, id)) continue;
      try {
        await vault.callTool<object>(
          'write_note',
          { path, frontmatter: values, body, mode: 'create' },
          { session, ...(signal && { signal }) },
          this.#fallback((files) => files.create(path, values, body)),
        );
        await this.#learn(path);
        return path;
      } catch (error) {
        if (!isConflict(error)) throw error;
        // A call that was lost may have made it.
        const there = await this.read(path);
        if (there !== undefined && ownId(there) === id) {
          await this.#learn(path);
          return path;
        }
        // Something else is in the way, which another name does not change.
        if (there === undefined || clash > mostClashes) throw error;
      }
    }
  }

  /** Changes keys of a note, and its body if one is given. */
  async update(
    path: string,
    change: NoteChange,
    session: string,
    signal?: AbortSignal,
  ): Promise<void> {
    const { vault } = this.#ports;
    const { set, remove = [], body, etag } = change;
    const options = { session, ...(signal && { signal }) };
    const fallback = this.#fallback((files) => files.update(path, change));
    if (body === undefined) {
      const given = { path, set, remove, ...(etag && { if_match: etag }) };
      await vault.callTool<object>('update_frontmatter', given, options, fallback);
    } else {
      const kept = Object.fromEntries(Object.entries(set).filter(([key]) => !remove.includes(key)));
      const given = {
        path,
        frontmatter: kept,
        body,
        mode: 'merge_frontmatter',
        ...(etag && { if_match: etag }),
      };
      await vault.callTool<object>('write_note', given, options, fallback);
      if (remove.length > 0) {
        const rest = { path, set: {}, remove };
        const without = this.#fallback((files) => files.update(path, { set: {}, remove }));
        await vault.callTool<object>('update_frontmatter', rest, options, without);
      }
    }
    await this.#learn(path);
  }

  /** Moves a note into a folder and answers with its new path; one that is there already stays. */
  async move(path: string, folder: MailFolder, session: string, below?: string): Promise<string> {
    const { vault, source } = this.#ports;
    const name = path.split('/').at(-1) ?? '';
    const place = below === undefined ? folder : `${folder}/${below}`;
    if (path.startsWith(`${place}/`)) return path;
    const moving = await this.read(path);
    for (let clash = 0; clash <= mostClashes + 1; clash += 1) {
      const counter = clash === 0 ? '' : `-${String(clash).padStart(3, '0')}`;
      const target = `${place}/${name.replace(/\.md$/, `${counter}.md`)}`;
      try {
        await vault.callTool<object>(
          'move_note',
          { source: path, destination: target },
          { session },
          this.#fallback((files) => files.move(path, target)),
        );
        this.#forget(path);
        await this.#learn(target);
        return target;
      } catch (error) {
        const there = await this.read(target);
        if (there !== undefined && there.inode === moving?.inode) {
          // A move that was cut off left both names.
          source.fallback?.removeDouble(path, target);
          this.#forget(path);
          await this.#learn(target);
          return target;
        }
        if (!isConflict(error) || there === undefined) throw error;
      }
    }
    throw new ToolFailure('conflict', `There is no free name for ${path} in ${place}.`);
  }

  /** What is done instead of a call of the vault server; nothing where there is no other way to the notes. */
  #fallback(write: (files: NoteFallback) => Promise<void>): (() => Promise<object>) | undefined {
    const { fallback } = this.#ports.source;
    if (fallback === undefined) return undefined;
    return async () => {
      await write(fallback);
      return {};
    };
  }

  #scan(): Promise<void> {
    this.#scanning = this.#look().finally(() => {
      this.#scanning = undefined;
    });
    return this.#scanning;
  }

  async #look(): Promise<void> {
    const { source, monotonic } = this.#ports;
    this.#touched.clear();
    let heads = await source.scan();
    const doubles = findDoubles(heads);
    for (const { extra, kept } of doubles) source.fallback?.removeDouble(extra, kept);
    if (doubles.length > 0) heads = await source.scan();
    this.#index.replace(heads);
    // The look may have been earlier than these changes.
    for (const path of [...this.#touched]) await this.#learn(path);
    this.#scannedAt = monotonic();
  }

  async #locate(id: string, kind?: 'mail' | 'draft'): Promise<MailNote | undefined> {
    for (const isFresh of [false, true]) {
      const isStale = this.#ports.monotonic() - this.#scannedAt > this.#ports.freshMs;
      if (isFresh || isStale) await this.refresh();
      const found = this.#index.find(id).filter((head) => !kind || kindOf(head) === kind);
      for (const head of found) {
        const note = await this.read(head.path);
        if (note !== undefined && (note.path === id || ownId(note) === id)) return note;
      }
      // Nothing is missing that was never there.
      if (found.length === 0 && !isStale) break;
    }
    return undefined;
  }

  /** Whether another note has this path, as far as is known. */
  #isTaken(path: string, id: string): boolean {
    return this.#index.find(path).some((head) => ownId(head) !== id);
  }

  /** What was just written is known before the next look. */
  async #learn(path: string): Promise<void> {
    if (this.#scanning !== undefined) this.#touched.add(path);
    const note = await this.read(path);
    if (note === undefined) this.#index.remove(path);
    else {
      const { body: _, etag: __, ...head } = note;
      this.#index.put(head);
    }
  }

  #forget(path: string): void {
    if (this.#scanning !== undefined) this.#touched.add(path);
    this.#index.remove(path);
  }
}

function isConflict(error: unknown): boolean {
  return error instanceof ToolFailure && error.code === 'conflict';
}
