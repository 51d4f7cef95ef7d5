import type { RequestId } from '@modelcontextprotocol/server';
import { GrowingBuffer } from '../growing-buffer.ts';
import { TopLevelId } from './top-level-id.ts';

export type Line =
  | { readonly kind: 'line'; readonly bytes: Buffer }
  /** A line over the limit: dropped as it came, with the id of its request if it had one. */
  | { readonly kind: 'oversized'; readonly size: number; readonly id: RequestId | undefined };

const newline = 0x0a;

/** Cuts a stream of bytes into lines, holding at most one line and never more than the limit. */
export class LineSplitter {
  readonly #limit: number;
  readonly #held = new GrowingBuffer();
  #dropped = 0;
  #scanner: TopLevelId | undefined;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The lines that end in this chunk. */
  *push(chunk: Buffer): Generator<Line> {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      const piece = chunk.subarray(start, end);
      start = end + 1;
      if (this.#isEmpty && piece.length <= this.#limit) {
        // The usual case, a line in one piece, needs no copy.
        yield { kind: 'line', bytes: piece };
        continue;
      }
      this.#add(piece);
      yield this.#finish();
    }
    if (start < chunk.length) this.#add(chunk.subarray(start));
  }

  /** The line that the end of the stream leaves without a newline. */
  *end(): Generator<Line> {
    if (!this.#isEmpty) yield this.#finish();
  }

  get #isEmpty(): boolean {
    return this.#held.size === 0 && this.#scanner === undefined;
  }

  #add(piece: Buffer): void {
    if (this.#scanner === undefined && this.#held.size + piece.length <= this.#limit) {
      this.#held.append(piece);
      return;
    }
    this.#scanner ??= new TopLevelId();
    for (const bytes of [this.#held.take(), piece]) {
      this.#scanner.scan(bytes);
      this.#dropped += bytes.length;
    }
  }

  #finish(): Line {
    if (this.#scanner === undefined) return { kind: 'line', bytes: this.#held.take() };
    const line: Line = { kind: 'oversized', size: this.#dropped, id: this.#scanner.found };
    this.#scanner = undefined;
    this.#dropped = 0;
    return line;
  }
}
