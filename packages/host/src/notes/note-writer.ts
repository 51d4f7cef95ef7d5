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
import { adviceForCode } from '../advice.ts';
import type { Clock } from '../clock.ts';
import { HostError } from '../host-error.ts';
import type { NoteStore } from '../note-store.ts';
import { systemClock } from '../time/system-clock.ts';

interface NoteWriterOptions {
  readonly path: string;
  readonly notes: NoteStore;
  readonly context: NoteContext;
  /** The note that the calls were made for. */
  readonly before: NoteBlocks;
  /** The blocks that results may come for. */
  readonly expected: readonly ToolBlock[];
  /** Replaces results that were edited by hand. */
  readonly force: boolean;
  readonly clock?: Clock;
}

/** After a write, so many times its duration pass before the next. */
const restPerWrite = 4;

/**
 * Puts results into one note, one edit after the other. Results that arrive while an edit is being
 * written, or shortly after, share the next one: the cost of a run grows with the note, not with the
 * note times its blocks.
 */
export class NoteWriter {
  readonly #options: NoteWriterOptions;
  readonly #clock: Clock;
  readonly #expected: Set<ToolBlock>;
  readonly #complete = new AbortController();
  readonly #twinsBefore: Twins;
  #known: NoteBlocks;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;

  constructor(options: NoteWriterOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#expected = new Set(options.expected);
    this.#twinsBefore = twinsOf(options.before);
    this.#known = options.before;
  }

  /** Resolves with whether the note changed; rejects with why the result has no place in it. */
  write(block: ToolBlock, content: ResultContent): Promise<boolean> {
    this.expectNoMore(block);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ block, content, resolve, reject });
      this.#writing ??= this.#writeAll().finally(() => {
        this.#writing = undefined;
      });
    });
  }

  /** The block as the note has it now; rejects when it cannot be found for certain. */
  async find(block: ToolBlock): Promise<ToolBlock> {
    const { path, notes } = this.#options;
    const now = this.#read(await notes.read(path));
    const found = relocateBlock(block, this.#twinsBefore(block), twinsOf(now)(block));
    if (found.kind === 'found') return found.block;
    throw new HostError('note_changed', found.message, { line: block.line });
  }

  /** No result will come for this block; who waits for others to come along need not wait for it. */
  expectNoMore(block: ToolBlock): void {
    this.#expected.delete(block);
    if (this.#expected.size === 0) this.#complete.abort('complete');
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      // Let the calls that end in this very moment come along.
      await Promise.resolve();
      const batch = this.#waiting;
      this.#waiting = [];
      const started = this.#clock.now();
      await this.#writeBatch(batch);
      const rest = restPerWrite * (this.#clock.now() - started);
      await this.#clock.sleep(rest, this.#complete.signal).catch(() => {});
    }
  }

  async #writeBatch(batch: readonly Waiting[]): Promise<void> {
    const { path, notes } = this.#options;
    let settle: (() => void)[] = [];
    try {
      await notes.edit(path, (text) => {
        const placed = this.#planWrites(text, batch);
        settle = placed.map(({ settle }) => settle);
        return placed.flatMap(({ edit }) => (edit === undefined ? [] : [edit]));
      });
      for (const done of settle) done();
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  #read(text: string): NoteBlocks {
    if (this.#known.scan.text === text) return this.#known;
    const note = scan(text);
    const blocks = findToolBlocks(note, this.#options.context, this.#known.blocks);
    this.#known = { scan: note, blocks };
    return this.#known;
  }

  #planWrites(text: string, batch: readonly Waiting[]): readonly PlannedWrite[] {
    const now = this.#read(text);
    const twinsNow = twinsOf(now);
    const taken = new Set<ToolBlock>();
    return batch.map(({ block, content, resolve, reject }) => {
      const found = relocateBlock(block, this.#twinsBefore(block), twinsNow(block));
      if (found.kind === 'lost') {
        const error = new HostError('note_changed', found.message, { line: block.line });
        return { settle: () => reject(error) };
      }
      if (taken.has(found.block)) return { settle: () => reject(takenAlready(block)) };
      taken.add(found.block);
      const { force } = this.#options;
      const written = writeResult(now.scan, found.block, content, { force });
      if (written.kind === 'edit') return { edit: written.edit, settle: () => resolve(true) };
      if (written.kind === 'unchanged') return { settle: () => resolve(false) };
      const advice = written.isForceable ? adviceForCode(written.code) : [];
      const error = new HostError(written.code, written.message, {}, { advice });
      return { settle: () => reject(error) };
    });
  }
}

/** The blocks of a note that could be mistaken for a given one. */
type Twins = (block: ToolBlock) => NoteBlocks;

/** Finds twins without looking at every block for each of them. */
function twinsOf({ scan: note, blocks }: NoteBlocks): Twins {
  const keyOf = ({ server, id, source }: ToolBlock) => JSON.stringify([server, id, source]);
  const groups = Map.groupBy(blocks, keyOf);
  return (block) => ({ scan: note, blocks: groups.get(keyOf(block)) ?? [] });
}

function takenAlready({ line }: ToolBlock): HostError {
  const message = `The note was changed meanwhile: of equal blocks one is left, and it has the result of another. The block was on line ${line}. Run the note again.`;
  return new HostError('note_changed', message, { line });
}

interface Waiting {
  readonly block: ToolBlock;
  readonly content: ResultContent;
  readonly resolve: (changed: boolean) => void;
  readonly reject: (reason: unknown) => void;
}

interface PlannedWrite {
  readonly edit?: TextEdit;
  readonly settle: () => void;
}
