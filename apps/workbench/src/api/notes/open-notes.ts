import {
  applyEdits,
  bindSection,
  detachResult,
  findToolBlocks,
  type NoteContext,
  removeResult,
  scan,
  type TextEdit,
} from '@errand/document';
import { HostError, type NoteSessions, sessionOfNote } from '@errand/host';
import { Throttle } from '@errand/workspace/events';
import { keyBlocks, type RunningBlock } from '@errand/workspace/runs';
import { z } from 'zod';
import type { Note, NoteReading, WorkbenchEvent } from '../../contract.ts';
import { warnOfFault } from '../events/event-log.ts';
import { ApiError } from '../http/api-error.ts';
import type { WorkbenchPorts } from '../workbench-ports.ts';
import { createFile } from './create-file.ts';
import { etagOf } from './note-text.ts';
import { readText } from './read-text.ts';

/** The number of notes whose changes are published. */
const mostOpen = 200;

export interface OpenNotesPorts extends Pick<WorkbenchPorts, 'folder' | 'host' | 'notes'> {
  readonly sessions: NoteSessions;
  readonly runOf: (path: string, key: string) => RunningBlock | undefined;
  readonly feed: (event: WorkbenchEvent) => void;
}

const etag = z.string();
export const saveSchema = z.strictObject({
  text: z.string(),
  /** null for a note that is not there, which is made. */
  etag: etag.nullable(),
});
export const decideSchema = z.strictObject({
  key: z.string(),
  /** `keep` makes the result the author's own text, so that the block has none; `remove` deletes it. */
  decision: z.enum(['keep', 'remove']),
  etag,
});
export const bindSchema = z.strictObject({
  /** `Section.bindLine`; 0 is the whole note. */
  line: z.int().min(0),
  /** null removes the binding. */
  server: z.string().nullable(),
  etag,
});

/** Reads and edits notes, and publishes an event when a note that a page has read changes. */
export class OpenNotes implements Disposable {
  readonly #ports: OpenNotesPorts;
  /** The notes that were read, with the etag that pages know, the least recently read first. */
  readonly #open = new Map<string, string | null>();
  readonly #throttle = new Throttle(warnOfFault);

  constructor(ports: OpenNotesPorts) {
    this.#ports = ports;
  }

  async read(path: string, signal: AbortSignal): Promise<Note> {
    return this.#describe(path, await this.#ports.notes.read(path, signal));
  }

  /** Reads a text as if it were the note's; nothing is stored. */
  check(path: string, text: string): NoteReading {
    return readText(text, path, this.#ports.host, (key) => this.#ports.runOf(path, key));
  }

  save(
    path: string,
    { text, etag }: z.output<typeof saveSchema>,
    signal: AbortSignal,
  ): Promise<Note> {
    if (etag === null) return this.#create(path, text, signal);
    return this.#edit(path, etag, signal, (now) =>
      now === text ? [] : [{ range: [0, now.length], text }],
    );
  }

  /** Keeps or removes the result of a block. */
  decide(
    path: string,
    { key, decision, etag }: z.output<typeof decideSchema>,
    signal: AbortSignal,
  ): Promise<Note> {
    return this.#edit(path, etag, signal, (text) => {
      const note = scan(text);
      const blocks = findToolBlocks(note, this.#context(path));
      const block = keyBlocks(blocks).find((each) => each.key === key)?.block;
      if (block === undefined || block.result === null) {
        throw new ApiError('not_found', 'The block has no result.');
      }
      return decision === 'keep' ? detachResult(note, block) : removeResult(block);
    });
  }

  /** Binds a section to a server, or removes its binding. */
  bind(
    path: string,
    { line, server, etag }: z.output<typeof bindSchema>,
    signal: AbortSignal,
  ): Promise<Note> {
    return this.#edit(path, etag, signal, (text) => {
      const part = { kind: 'section', line } as const;
      const wanted = server === null ? null : { server };
      const bound = bindSection(scan(text), this.#context(path), part, wanted);
      if (bound.kind === 'refused') throw new ApiError('invalid_input', bound.message);
      return bound.kind === 'edits' ? bound.edits : [];
    });
  }

  /** Checks a note that may have been written, and publishes its change if a page has read it. */
  touch(path: string): void {
    if (!this.#open.has(path)) return;
    this.#throttle.run(path, () => void this.#refresh(path));
  }

  /** Checks every note that a page has read. */
  touchAll(): void {
    for (const path of this.#open.keys()) this.touch(path);
  }

  [Symbol.dispose](): void {
    this.#throttle[Symbol.dispose]();
  }

  async #refresh(path: string): Promise<void> {
    const text = await this.#ports.notes.read(path).catch((error: unknown) => {
      if (error instanceof HostError) return null;
      throw error;
    });
    const etag = text === null ? null : etagOf(text);
    if (this.#open.get(path) === etag) return;
    this.#open.set(path, etag);
    this.#ports.feed({ kind: 'note-changed', path, etag });
  }

  /** Edits the note only while its text is the one that the request was made from. */
  async #edit(
    path: string,
    etag: string,
    signal: AbortSignal,
    change: (text: string) => readonly TextEdit[],
  ): Promise<Note> {
    let after = '';
    await this.#ports.notes.edit(
      path,
      (text) => {
        if (etagOf(text) !== etag) throw this.#conflict(path, text);
        const edits = change(text);
        after = applyEdits(text, edits);
        return edits;
      },
      signal,
    );
    return this.#describe(path, after);
  }

  /** Makes a note with its folders; one that somebody else has made meanwhile is a conflict. */
  async #create(path: string, text: string, signal: AbortSignal): Promise<Note> {
    if (await createFile(this.#ports.folder, path, text)) return this.#describe(path, text);
    throw this.#conflict(path, await this.#ports.notes.read(path, signal));
  }

  #conflict(path: string, text: string): ApiError {
    const message = `${path} was changed by another program meanwhile. Nothing was written; both texts are still there.`;
    return new ApiError('conflict', message, { current: this.#describe(path, text) });
  }

  #describe(path: string, text: string): Note {
    const etag = etagOf(text);
    this.#remember(path, etag);
    const session = this.#ports.sessions.describe(sessionOfNote(path));
    return { path, etag, text, session, ...this.check(path, text) };
  }

  /** A new text is published by whoever sees it first: a page that reads the note, or the watcher. */
  #remember(path: string, etag: string): void {
    const before = this.#open.get(path);
    this.#open.delete(path);
    this.#open.set(path, etag);
    if (before !== undefined && before !== etag) {
      this.#ports.feed({ kind: 'note-changed', path, etag });
    }
    const [oldest] = this.#open.keys();
    if (this.#open.size > mostOpen && oldest !== undefined) this.#open.delete(oldest);
  }

  #context(path: string): NoteContext {
    return this.#ports.host.servers.noteContext(path);
  }
}
