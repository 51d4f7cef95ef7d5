import type { Clock } from '../clock.ts';
import type { Connection } from '../connection.ts';
import type { OpenServer } from './open-server.ts';
import { ToolList, type Tools } from './tool-list.ts';

/** A working connection with its tools and the number of calls on it; it closes when they are done. */
export class LiveConnection {
  readonly connection: Connection;
  readonly tools: ToolList;
  /** Aborted when the connection is lost, or no new call may use it. */
  readonly ended: AbortSignal;
  /** Resolves when whatever was started for the connection is gone. */
  readonly closed: Promise<void>;
  readonly #controller = new AbortController();
  readonly #markClosed: () => void;
  #calls = 0;
  #hasTimedOut = false;
  #isClosing = false;

  constructor({ connection, tools }: OpenServer, clock: Clock, onToolsRead: (t: Tools) => void) {
    this.connection = connection;
    this.tools = new ToolList(connection, tools, clock, onToolsRead);
    this.ended = this.#controller.signal;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.closed = promise;
    this.#markClosed = resolve;
  }

  /** Whether it works on calls, as far as one can tell: none has timed out since it last answered. */
  get isBusy(): boolean {
    return this.#calls > 0 && !this.#hasTimedOut;
  }

  /** Must be called with the outcome of each call. */
  noteEnd(end: 'answered' | 'timed-out'): void {
    this.#hasTimedOut = end === 'timed-out';
  }

  /** Counts a call in; disposing the lease counts it out. */
  lease(): Disposable {
    this.#calls += 1;
    let isHeld = true;
    return {
      [Symbol.dispose]: () => {
        if (!isHeld) return;
        isHeld = false;
        this.#calls -= 1;
        if (this.#calls === 0 && this.ended.aborted) void this.close();
      },
    };
  }

  /** Takes no new calls; closes when the running ones are done. */
  retire(): void {
    this.#controller.abort();
    this.tools.close();
    if (this.#calls === 0) void this.close();
  }

  /** Closes now and waits until what was started for it is gone. */
  close(): Promise<void> {
    this.#controller.abort();
    this.tools.close();
    if (!this.#isClosing) {
      this.#isClosing = true;
      // However closing ended, there is nothing more that could be done with the connection.
      const dispose = async () => this.connection[Symbol.asyncDispose]();
      dispose().then(this.#markClosed, this.#markClosed);
    }
    return this.closed;
  }
}
