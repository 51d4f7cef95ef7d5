import type { RequestId } from '@modelcontextprotocol/server';
import { TopLevelId } from './top-level-id.ts';

export type Line =
  | { readonly kind: 'line'; readonly bytes: Buffer }
  /** A line over the limit: dropped as it came, with the id of its request if it had one. */
  | { readonly kind: 'oversized'; readonly size: number; readonly id: RequestId | undefined };

const newline = 0x0a;

/** Cuts a stream of bytes into lines, holding at most one line and never more than the limit. */
export class LineSplitter {
  readonly #limit: number;
  #parts: Buffer[] = [];
  #size = 0;
  #oversized: TopLevelId | undefined;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The lines that end in this chunk. */
  *push(chunk: Buffer): Generator<Line> {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      this.#add(chunk.subarray(start, end));
      yield this.#finish();
      start = end + 1;
    }
    if (start < chunk.length) this.#add(chunk.subarray(start));
  }

  /** The line that the end of the stream leaves without a newline. */
  *end(): Generator<Line> {
    if (this.#size > 0) yield this.#finish();
  }

  #add(part: Buffer): void {
    this.#size += part.length;
    if (this.#oversized === undefined && this.#size > this.#limit) {
      this.#oversized = new TopLevelId();
      for (const held of this.#parts) this.#oversized.scan(held);
      this.#parts = [];
    }
    if (this.#oversized === undefined) this.#parts.push(part);
    else this.#oversized.scan(part);
  }

  #finish(): Line {
    const line: Line =
      this.#oversized === undefined
        ? { kind: 'line', bytes: Buffer.concat(this.#parts, this.#size) }
        : { kind: 'oversized', size: this.#size, id: this.#oversized.found };
    this.#parts = [];
    this.#size = 0;
    this.#oversized = undefined;
    return line;
  }
}
