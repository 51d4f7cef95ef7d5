import type { RequestId } from '../json-rpc.ts';
import { GrowingBuffer } from './growing-buffer.ts';
import { IdScanner } from './id-scanner.ts';

/** A line over the limit, of which only the beginning was kept. */
export interface LongLine {
  readonly head: Buffer;
  readonly bytes: number;
  /** The id of the message in it, where it has one. */
  readonly id: RequestId | undefined;
  /** Whether the message is a request or a notification. */
  readonly hasMethod: boolean;
}

/** Receives the lines of a stream; a line holds only during the call. */
interface LineListener {
  line(line: Buffer): void;
  tooLong(line: LongLine): void;
}

interface Dropped {
  readonly head: Buffer;
  readonly scanner: IdScanner;
  bytes: number;
}

const newline = 0x0a;

/** How much of the beginning of an oversized line is kept. */
const headBytes = 1024;

/** Splits a stream of bytes into lines and leaves out empty ones. Holds at most one line, up to the limit in bytes. */
export class LineSplitter {
  readonly #limit: number;
  readonly #listener: LineListener;
  readonly #held = new GrowingBuffer();
  #dropped: Dropped | undefined;

  constructor(limit: number, listener: LineListener) {
    this.#limit = limit;
    this.#listener = listener;
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      const piece = chunk.subarray(start, end);
      start = end + 1;
      this.#add(piece);
      this.#finishLine();
    }
    if (start < chunk.length) this.#add(chunk.subarray(start));
  }

  /** Hands on the last line of a stream that ended without a newline. */
  end(): void {
    this.#finishLine();
  }

  #add(piece: Buffer): void {
    if (this.#dropped === undefined && this.#held.size + piece.length <= this.#limit) {
      if (piece.length > 0) this.#held.append(piece);
      return;
    }
    const held = this.#held.take();
    this.#dropped ??= { head: headOf(held, piece), scanner: new IdScanner(), bytes: 0 };
    for (const bytes of [held, piece]) {
      this.#dropped.scanner.scan(bytes);
      this.#dropped.bytes += bytes.length;
    }
  }

  #finishLine(): void {
    const dropped = this.#dropped;
    if (dropped !== undefined) {
      this.#dropped = undefined;
      const { head, bytes, scanner } = dropped;
      this.#listener.tooLong({ head, bytes, id: scanner.id, hasMethod: scanner.hasMethod });
    } else if (this.#held.size > 0) this.#listener.line(this.#held.take());
  }
}

/** A copy, so that the blocks that the line was read into can be freed. */
function headOf(held: Buffer, piece: Buffer): Buffer {
  return Buffer.concat([held.subarray(0, headBytes), piece.subarray(0, headBytes)]).subarray(
    0,
    headBytes,
  );
}
