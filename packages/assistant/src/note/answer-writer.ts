import {
  type AnswerInProgress,
  type AnswerPiece,
  answerText,
  type ConversationContext,
  callBlock,
  placeAnswer,
  scan,
  settledLength,
  type WrittenCall,
  writeAnswer,
} from '@errand/document';
import { type Clock, HostError, type NoteStore } from '@errand/host';

interface AnswerWriterOptions {
  readonly path: string;
  readonly notes: NoteStore;
  readonly clock: Clock;
  readonly context: () => ConversationContext;
  readonly answer: AnswerInProgress;
  readonly questionLine: number;
  /** Told once, when the answer no longer has a place in the note. */
  readonly onLost: () => void;
}

/** At least so many milliseconds pass between two edits, and four times as long as one takes. */
const minRestMs = 150;
const restPerWrite = 4;

/**
 * Writes an answer into its note while it is coming: whole paragraphs and whole calls, each in an edit
 * of its own, below what is there. Everything that others type meanwhile stays.
 */
export class AnswerWriter {
  readonly #options: AnswerWriterOptions;
  readonly #pieces: AnswerPiece[] = [];
  readonly #finishing = new AbortController();
  #answer: AnswerInProgress;
  #questionLine: number;
  /** What came since the last call, what of it is safe, and what of that was taken to be written. */
  #raw = '';
  #taken = '';
  /** How much of what came was taken. */
  #takenLength = 0;
  #writing: Promise<void> | undefined;
  #failure: HostError | undefined;

  constructor(options: AnswerWriterOptions) {
    this.#options = options;
    this.#answer = options.answer;
    this.#questionLine = options.questionLine;
  }

  /** The line that the question stood on when it was last looked for. */
  get questionLine(): number {
    return this.#questionLine;
  }

  get hasWritten(): boolean {
    return this.#answer.written !== '';
  }

  /** Whether part of the answer is, or is about to be, in the note. */
  get hasBegun(): boolean {
    return this.hasWritten || this.#pieces.length > 0;
  }

  /** Why the answer could not be written to its end. */
  get failure(): HostError | undefined {
    return this.#failure;
  }

  addText(text: string): void {
    this.#raw += text;
    // Only a line end can end a paragraph.
    if (!text.includes('\n')) return;
    const settled = settledLength(this.#raw);
    if (settled > this.#takenLength) this.#take(settled);
  }

  /** What came so far is whole: a call follows, or nothing. */
  endText(): void {
    this.#take(this.#raw.length);
    this.#raw = '';
    this.#taken = '';
    this.#takenLength = 0;
  }

  addCall(call: WrittenCall): void {
    this.endText();
    this.#add({ kind: 'call', text: callBlock(call) });
  }

  /** Finds the question again; rejects when it is gone, because then the allowed tools are unknown. */
  async locate(signal: AbortSignal): Promise<void> {
    const { path, notes, context } = this.#options;
    const note = scan(await notes.read(path, signal));
    const place = placeAnswer(note, this.#answer, context().assistants);
    if (place.kind === 'lost') throw new HostError('note_changed', place.message);
    this.#questionLine = place.questionLine;
  }

  /** Writes the rest at once. Resolves with the text that has no place in the note. */
  async finish(): Promise<string> {
    this.endText();
    this.#finishing.abort();
    await this.#writing;
    return this.#pieces.map(({ text }) => text).join('\n\n');
  }

  #take(length: number): void {
    this.#takenLength = length;
    const { assistants } = this.#options.context();
    const safe = answerText(this.#raw.slice(0, length), assistants).trimEnd();
    // What has its end is not read differently when more follows.
    const fresh = safe.startsWith(this.#taken) ? safe.slice(this.#taken.length) : safe;
    this.#taken = safe;
    const text = fresh.replace(/^\n+/, '');
    if (text.trim() !== '') this.#add({ kind: 'text', text });
  }

  #add(piece: AnswerPiece): void {
    this.#pieces.push(piece);
    if (this.#failure !== undefined) return;
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
    });
  }

  async #writeAll(): Promise<void> {
    const { clock } = this.#options;
    while (this.#pieces.length > 0 && this.#failure === undefined) {
      const started = clock.now();
      await this.#writeNext();
      const rest = Math.max(minRestMs, restPerWrite * (clock.now() - started));
      await clock.sleep(rest, this.#finishing.signal).catch(() => {});
    }
  }

  async #writeNext(): Promise<void> {
    const { path, notes, context } = this.#options;
    const { piece, count } = this.#nextPiece();
    let next: { readonly answer: AnswerInProgress; readonly questionLine: number } | undefined;
    try {
      await notes.edit(path, (text) => {
        const written = writeAnswer(scan(text), this.#answer, piece, context());
        if (written.kind === 'lost') throw new HostError('note_changed', written.message);
        next = written;
        return [written.edit];
      });
    } catch (error) {
      this.#failure = error instanceof HostError ? error : unwritable(path, error);
      this.#options.onLost();
      return;
    }
    this.#pieces.splice(0, count);
    if (next === undefined) return;
    this.#answer = next.answer;
    this.#questionLine = next.questionLine;
  }

  /** Paragraphs that wait share an edit; a call has its own. */
  #nextPiece(): { readonly piece: AnswerPiece; readonly count: number } {
    const end = this.#pieces.findIndex(({ kind }) => kind === 'call');
    const texts = this.#pieces.slice(0, end === -1 ? undefined : end).map(({ text }) => text);
    const [first] = this.#pieces;
    if (texts.length === 0 && first !== undefined) return { piece: first, count: 1 };
    return { piece: { kind: 'text', text: texts.join('\n\n') }, count: texts.length };
  }
}

function unwritable(path: string, cause: unknown): HostError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new HostError('note_unreadable', `${path} cannot be written: ${why}`, {}, { cause });
}
