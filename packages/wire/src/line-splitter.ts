/** What a line splitter found. */
export interface LineListener {
  line(line: Buffer): void;
  /** A line over the limit; only its beginning and its end were kept. */
  tooLong(line: { readonly head: Buffer; readonly tail: Buffer; readonly bytes: number }): void;
}

const newline = 0x0a;

/** How much of the two ends of an oversized line is kept. */
const keptBytes = 1024;

/** Cuts a stream of bytes into lines, looking at every byte once however the chunks fall. */
export class LineSplitter {
  readonly #limit: number;
  readonly #listener: LineListener;
  #parts: Buffer[] = [];
  #bytes = 0;
  #head: Buffer | undefined;

  constructor(limit: number, listener: LineListener) {
    this.#limit = limit;
    this.#listener = listener;
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      this.#keep(chunk.subarray(start, end));
      this.#finishLine();
      start = end + 1;
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start));
  }

  #keep(part: Buffer): void {
    this.#parts.push(part);
    this.#bytes += part.length;
    if (this.#bytes <= this.#limit) return;
    const joined = Buffer.concat(this.#parts);
    this.#head ??= Buffer.from(joined.subarray(0, keptBytes));
    this.#parts = [Buffer.from(joined.subarray(-keptBytes))];
  }

  #finishLine(): void {
    const [first = Buffer.alloc(0), ...others] = this.#parts;
    const line = others.length === 0 ? first : Buffer.concat(this.#parts);
    const head = this.#head;
    const bytes = this.#bytes;
    this.#parts = [];
    this.#bytes = 0;
    this.#head = undefined;
    if (head !== undefined) this.#listener.tooLong({ head, tail: line, bytes });
    else if (line.length > 0) this.#listener.line(line);
  }
}
