import type { Readable, Writable } from 'node:stream';
// The global one is not there in an Electron renderer.
import { setImmediate } from 'node:timers';

/** Why lines could not be written, and whether they were certainly not read. */
export class UnwrittenLine extends Error {
  readonly neverSent: boolean;

  constructor(cause: Error, neverSent: boolean) {
    super(cause.message, { cause });
    this.neverSent = neverSent;
  }
}

/** Why a line is not taken: the reader has not read those before it. */
export class FullPipe extends Error {
  constructor() {
    super('It does not read what it is sent.');
  }
}

interface LineWriterOptions {
  /** How many bytes may wait for a reader; beyond that only a line that waits alone is taken. */
  readonly maxWaiting: number;
  /** What the reader sends us. It is paused while more than `pauseAbove` bytes wait for the reader. */
  readonly input?: Readable;
  readonly pauseAbove?: number;
}

/** Writes lines, in the order in which they are given. What waits for the reader is bounded. */
export class LineWriter implements Disposable {
  readonly #output: Writable;
  readonly #options: LineWriterOptions;
  #isWithinTurn = false;
  #isPausing = false;
  #isDisposed = false;
  #later: Batch | undefined;

  constructor(output: Writable, options: LineWriterOptions) {
    this.#output = output;
    this.#options = options;
  }

  /** How many bytes were not handed to the system yet. */
  get waiting(): number {
    return this.#output.writableLength + (this.#later?.lines.length ?? 0);
  }

  /** Writes at once. Resolves when the line was handed to the system; rejects with an `UnwrittenLine`. */
  write(line: string): Promise<void> {
    this.#flush();
    if (this.#isFullFor(line)) return Promise.reject(new UnwrittenLine(new FullPipe(), true));
    return this.#send(line, 1);
  }

  /**
   * The first of a turn of the event loop goes at once; those that follow in the same turn go together
   * when it ends: a write costs a busy gateway more than all else that it does for a call.
   */
  writeTogether(line: string): Promise<void> {
    if (this.#isFullFor(line)) return Promise.reject(new UnwrittenLine(new FullPipe(), true));
    if (this.#isWithinTurn) return this.#addToBatch(line);
    this.#isWithinTurn = true;
    setImmediate(() => {
      this.#isWithinTurn = false;
      this.#flush();
    });
    return this.#send(line, 1);
  }

  /** Writes what was to go together, and leaves the input as it is from now on. */
  [Symbol.dispose](): void {
    this.#isDisposed = true;
    this.#flush();
  }

  #isFullFor(line: string): boolean {
    const { waiting } = this;
    return waiting > 0 && waiting + line.length > this.#options.maxWaiting;
  }

  #addToBatch(line: string): Promise<void> {
    this.#later ??= { lines: '', count: 0, ...Promise.withResolvers<void>() };
    this.#later.lines += line;
    this.#later.count += 1;
    return this.#later.promise;
  }

  #flush(): void {
    const batch = this.#later;
    this.#later = undefined;
    if (batch !== undefined) this.#send(batch.lines, batch.count).then(batch.resolve, batch.reject);
  }

  #send(lines: string, count: number): Promise<void> {
    const output = this.#output;
    // A line that did not get through whole has no end and is no message; one that others follow may have. What
    // has to wait goes to the system together with what waits beside it.
    const isAlone = count === 1 && output.writableLength === 0;
    const neverSent = isAlone || !output.writable;
    return new Promise((resolve, reject) => {
      const hasRoom = output.write(lines, (error) => {
        if (error) reject(new UnwrittenLine(error, neverSent));
        else resolve();
      });
      if (!hasRoom) this.#pauseInput();
    });
  }

  /** A client that does not read answers cannot ask for more of them. */
  #pauseInput(): void {
    const { input, pauseAbove = 0 } = this.#options;
    if (input === undefined || this.#isPausing || this.#isDisposed) return;
    if (this.#output.writableLength <= pauseAbove) return;
    this.#isPausing = true;
    input.pause();
    this.#output.once('drain', () => {
      this.#isPausing = false;
      if (!this.#isDisposed) input.resume();
    });
  }
}

interface Batch extends PromiseWithResolvers<void> {
  lines: string;
  count: number;
}
