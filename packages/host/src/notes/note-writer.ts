import {
  findToolBlocks,
  type NoteBlocks,
  type NoteContext,
  type ResultContent,
  relocateBlock,
  scan,
  type TextEdit,
  type ToolBlock,
  writeResult,
} from '@errand/document';
import { HostError } from '../host-error.ts';
import type { NoteStore } from '../note-store.ts';

export interface NoteWriterOptions {
  readonly path: string;
  readonly notes: NoteStore;
  readonly context: NoteContext;
  /** The note that the calls were made for. */
  readonly before: NoteBlocks;
  /** Replaces results that were edited by hand. */
  readonly force: boolean;
}

/**
 * Puts results into one note, one edit after the other. Results that arrive while an edit is being
 * written share the next one, so that a long note is not written anew for every block.
 */
export class NoteWriter {
  readonly #options: NoteWriterOptions;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;

  constructor(options: NoteWriterOptions) {
    this.#options = options;
  }

  /** Resolves with whether the note changed; rejects with why the result has no place in it. */
  write(block: ToolBlock, content: ResultContent): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ block, content, resolve, reject });
      this.#writing ??= this.#writeAll().finally(() => {
        this.#writing = undefined;
      });
    });
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      // Let the calls that end in this very moment come along.
      await Promise.resolve();
      const batch = this.#waiting;
      this.#waiting = [];
      await this.#writeBatch(batch);
    }
  }

  async #writeBatch(batch: readonly Waiting[]): Promise<void> {
    const { path, notes } = this.#options;
    let settle: (() => void)[] = [];
    try {
      await notes.edit(path, (text) => {
        const placed = this.#place(text, batch);
        settle = placed.map(({ settle }) => settle);
        return placed.flatMap(({ edit }) => (edit === undefined ? [] : [edit]));
      });
      for (const done of settle) done();
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  #place(text: string, batch: readonly Waiting[]): readonly Placed[] {
    const { context, before, force } = this.#options;
    const note = scan(text);
    const now = { scan: note, blocks: findToolBlocks(note, context) };
    return batch.map(({ block, content, resolve, reject }) => {
      const found = relocateBlock(block, before, now);
      if (found.kind === 'lost') {
        const error = new HostError('note_changed', found.message, { line: block.line });
        return { settle: () => reject(error) };
      }
      const written = writeResult(now.scan, found.block, content, { force });
      if (written.kind === 'edit') return { edit: written.edit, settle: () => resolve(true) };
      if (written.kind === 'unchanged') return { settle: () => resolve(false) };
      return { settle: () => reject(new HostError(written.code, written.message)) };
    });
  }
}

interface Waiting {
  readonly block: ToolBlock;
  readonly content: ResultContent;
  readonly resolve: (changed: boolean) => void;
  readonly reject: (reason: unknown) => void;
}

interface Placed {
  readonly edit?: TextEdit;
  readonly settle: () => void;
}
