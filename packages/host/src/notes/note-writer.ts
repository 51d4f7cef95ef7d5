import {
  addMove,
  applyEdits,
  findToolBlocks,
  type Move,
  movedBlock,
  type NoteBlocks,
  type NoteContext,
  type NoteScan,
  noMove,
  type ResultContent,
  relocateBlocks,
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
  /** Replaces results that were edited by hand, before the run began. */
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
  #known: KnownNote;
  #own: OwnWrites | undefined;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;

  constructor(options: NoteWriterOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#expected = new Set(options.expected);
    const { before } = options;
    this.#known = { ...before, relocate: relocateBlocks(before, before) };
  }

  /**
   * Resolves with whether the note changed; rejects with why the result has no place in it. `holdsOthers` means
   * that no result can come before this one is written, so that waiting for others after it would be in vain.
   */
  write(block: ToolBlock, content: ResultContent, holdsOthers = false): Promise<boolean> {
    this.expectNoMore(block);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ block, content, holdsOthers, resolve, reject });
      this.#writing ??= this.#writeAll().finally(() => {
        this.#writing = undefined;
      });
    });
  }

  /** The block as the note has it now; rejects when it cannot be found for certain. */
  async find(block: ToolBlock): Promise<ToolBlock> {
    const { path, notes } = this.#options;
    const found = this.#view(await notes.read(path), [block]).relocate(block);
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
      if (batch.some(({ holdsOthers }) => holdsOthers)) continue;
      const rest = restPerWrite * (this.#clock.now() - started);
      await this.#clock.sleep(rest, this.#complete.signal).catch(() => {});
    }
  }

  async #writeBatch(batch: readonly Waiting[]): Promise<void> {
    const { path, notes } = this.#options;
    let settle: (() => void)[] = [];
    try {
      await notes.edit(path, (text) => {
        const blocks = batch.map(({ block }) => block);
        const view = this.#view(text, blocks);
        const placed = batch.map((each) => this.#planWrite(each, view));
        settle = placed.map(({ settle }) => settle);
        const edits = placed.flatMap(({ edit }) => (edit === undefined ? [] : [edit]));
        this.#own = { text: applyEdits(text, edits), move: addMove(view.move, text, edits) };
        return edits;
      });
      for (const done of settle) done();
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  /**
   * The note as far as these blocks need it. While it is as this writer left it, blocks below all results are where
   * those moved them, so that a run of many blocks does not read the note again for each of them.
   */
  #view(text: string, blocks: readonly ToolBlock[]): NoteView {
    const own = this.#own;
    if (text !== own?.text) return { ...this.#read(text), move: noMove };
    const { move } = own;
    const { relocate, scan: before } = this.#known;
    const moved = new Map<ToolBlock, ReturnType<typeof relocate>>();
    for (const block of blocks) {
      const found = relocate(block);
      const now = found.kind === 'found' ? movedBlock(found.block, move) : undefined;
      if (now === undefined) return { ...this.#read(text), move: noMove };
      moved.set(block, { kind: 'found', block: now });
    }
    const scan = { text, lineEnd: before.lineEnd };
    return { scan, move, relocate: (block) => moved.get(block) ?? relocate(block) };
  }

  #read(text: string): KnownNote {
    if (this.#known.scan.text === text) return this.#known;
    const note = scan(text);
    const blocks = findToolBlocks(note, this.#options.context, this.#known.blocks);
    const now = { scan: note, blocks };
    this.#known = { ...now, relocate: relocateBlocks(this.#options.before, now) };
    this.#own = undefined;
    return this.#known;
  }

  #planWrite({ block, content, resolve, reject }: Waiting, now: NoteView): PlannedWrite {
    const found = now.relocate(block);
    if (found.kind === 'lost') {
      const error = new HostError('note_changed', found.message, { line: block.line });
      return { settle: () => reject(error) };
    }
    const force = this.#options.force && this.#isResultAsBefore(block, found.block, now.scan.text);
    const written = writeResult(now.scan, found.block, content, { force });
    if (written.kind === 'edit') return { edit: written.edit, settle: () => resolve(true) };
    if (written.kind === 'unchanged') return { settle: () => resolve(false) };
    const advice = written.isForceable ? adviceForCode(written.code) : [];
    const error = new HostError(written.code, written.message, {}, { advice });
    return { settle: () => reject(error) };
  }

  /** Whether a result is the one that a person saw when they asked for it to be replaced. */
  #isResultAsBefore({ result: before }: ToolBlock, { result: now }: ToolBlock, text: string) {
    if (before === null || now === null) return before === now;
    const { text: old } = this.#options.before.scan;
    return old.slice(before.from, before.to) === text.slice(now.from, now.to);
  }
}

/** The note as it was last read, and where the blocks that were called are in it. */
interface KnownNote extends NoteBlocks {
  readonly relocate: ReturnType<typeof relocateBlocks>;
}

/** The note after results were written into it, and how those moved the blocks of the note as it was last read. */
interface OwnWrites {
  readonly text: string;
  readonly move: Move;
}

/** The note at one time, as far as a result needs it. */
interface NoteView extends Pick<KnownNote, 'relocate'> {
  readonly scan: Pick<NoteScan, 'text' | 'lineEnd'>;
  readonly move: Move;
}

interface Waiting {
  readonly block: ToolBlock;
  readonly content: ResultContent;
  readonly holdsOthers: boolean;
  readonly resolve: (changed: boolean) => void;
  readonly reject: (reason: unknown) => void;
}

interface PlannedWrite {
  readonly edit?: TextEdit;
  readonly settle: () => void;
}
