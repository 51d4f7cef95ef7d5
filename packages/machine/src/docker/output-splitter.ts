const headerBytes = 8;
const standardError = 2;

/** What a container wrote, in the order in which it came. */
interface OutputSink {
  output(chunk: Buffer): void;
  errorOutput(chunk: Buffer): void;
}

/**
 * Takes apart the one stream in which the engine sends both outputs of a container. Each piece has a
 * header: one byte for which of the two, three unused, four for its length.
 */
export class OutputSplitter {
  readonly #sink: OutputSink;
  readonly #header = Buffer.alloc(headerBytes);
  #headerFilled = 0;
  #remaining = 0;

  constructor(sink: OutputSink) {
    this.#sink = sink;
  }

  push(chunk: Buffer): void {
    let rest = chunk;
    while (rest.length > 0) {
      rest = this.#remaining === 0 ? this.#takeHeader(rest) : this.#takePiece(rest);
    }
  }

  #takeHeader(chunk: Buffer): Buffer {
    const taken = chunk.copy(this.#header, this.#headerFilled, 0);
    this.#headerFilled += taken;
    if (this.#headerFilled === headerBytes) {
      this.#headerFilled = 0;
      this.#remaining = this.#header.readUInt32BE(4);
    }
    return chunk.subarray(taken);
  }

  #takePiece(chunk: Buffer): Buffer {
    const piece = chunk.subarray(0, this.#remaining);
    this.#remaining -= piece.length;
    if (this.#header[0] === standardError) this.#sink.errorOutput(piece);
    else this.#sink.output(piece);
    return chunk.subarray(piece.length);
  }
}
