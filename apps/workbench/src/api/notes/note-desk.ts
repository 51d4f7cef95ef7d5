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
import type {
  BindSection,
  DecideResult,
  Note,
  NoteReading,
  SaveNote,
  WorkbenchEvent,
} from '../../contract.ts';
import { warnOfFault } from '../events/event-log.ts';
import { ApiError } from '../http/api-error.ts';
import type { WorkbenchPorts } from '../workbench-ports.ts';
import { etagOf } from './note-text.ts';
import { readText } from './read-text.ts';

/** Changes of more notes than this are not told: nobody looks at so many. */
const mostOpen = 200;

export interface NoteDeskPorts extends Pick<WorkbenchPorts, 'host' | 'notes'> {
  readonly sessions: NoteSessions;
  readonly runOf: (path: string, key: string) => RunningBlock | undefined;
  readonly feed: (event: WorkbenchEvent) => void;
}

/** Reads notes and changes them, and tells pages when a note they read is another. */
export class NoteDesk implements Disposable {
  readonly #ports: NoteDeskPorts;
  /** Notes that were read, with the text that pages know of, the longest unread first. */
  readonly #open = new Map<string, string | null>();
  readonly #throttle = new Throttle(warnOfFault);

  constructor(ports: NoteDeskPorts) {
    this.#ports = ports;
  }

  async read(path: string, signal: AbortSignal): Promise<Note> {
    return this.#describe(path, await this.#ports.notes.read(path, signal));
  }

  /** What a text would be; nothing is stored. */
  check(path: string, text: string): NoteReading {
    return readText(text, path, this.#ports.host, (key) => this.#ports.runOf(path, key));
  }

  save(path: string, { text, etag }: SaveNote, signal: AbortSignal): Promise<Note> {
    return this.#edit(path, etag, signal, (now) =>
      now === text ? [] : [{ range: [0, now.length], text }],
    );
  }

  decide(path: string, { key, decision, etag }: DecideResult, signal: AbortSignal): Promise<Note> {
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

  bind(path: string, { line, server, etag }: BindSection, signal: AbortSignal): Promise<Note> {
    return this.#edit(path, etag, signal, (text) => {
      const part = { kind: 'section', line } as const;
      const wanted = server === null ? null : { server };
      const bound = bindSection(scan(text), this.#context(path), part, wanted);
      if (bound.kind === 'refused') throw new ApiError('invalid_input', bound.message);
      return bound.kind === 'edits' ? bound.edits : [];
    });
  }

  /** To be called when a note may have been written; pages that know it are told. */
  touch(path: string): void {
    if (!this.#open.has(path)) return;
    this.#throttle.run(path, () => void this.#look(path));
  }

  /** To be called when anything may have been written. */
  touchAll(): void {
    for (const path of this.#open.keys()) this.touch(path);
  }

  [Symbol.dispose](): void {
    this.#throttle[Symbol.dispose]();
  }

  async #look(path: string): Promise<void> {
    const text = await this.#ports.notes.read(path).catch((error: unknown) => {
      if (error instanceof HostError) return null;
      throw error;
    });
    const etag = text === null ? null : etagOf(text);
    if (this.#open.get(path) === etag) return;
    this.#open.set(path, etag);
    this.#ports.feed({ kind: 'note-changed', path, etag });
  }

  /** Changes the text that the request is based on, and no other. */
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

  /** Whoever sees a new text first, a page that reads it or the watch, all pages are told. */
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
