import type { ServerResponse } from 'node:http';
import type { ReplyHeaders } from './send-reply.ts';

/** Headers of an event stream that nothing between us and the client may hold back. */
export const eventStreamHeaders: ReplyHeaders = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
};

/** A comment that keeps clients and proxies from giving up during a long silence. */
export const keepAliveComment = ': waiting\n\n';

/** An event as text. Data is one line, as JSON is; a client that comes back names the last id it has seen. */
export function formatEvent(data: string, event = 'message', id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`;
}

export interface EventStreamOptions {
  /** A client that leaves more bytes than these unread is cut off. */
  readonly unsentBytes: number;
  /** Milliseconds between comments; without it the owner calls `keepAlive`. */
  readonly keepAlive?: number;
  readonly headers?: ReplyHeaders;
}

/** Server-sent events on one HTTP response, whose headers are sent at once. */
export class EventStream {
  readonly #response: ServerResponse;
  readonly #unsentBytes: number;

  constructor(response: ServerResponse, { unsentBytes, keepAlive, headers }: EventStreamOptions) {
    this.#response = response;
    this.#unsentBytes = unsentBytes;
    response.writeHead(200, { ...eventStreamHeaders, ...headers });
    response.flushHeaders();
    if (keepAlive === undefined) return;
    const timer = setInterval(() => this.keepAlive(), keepAlive);
    response.once('close', () => clearInterval(timer));
  }

  send(data: string, event?: string): void {
    if (!this.#isOpen) return;
    this.#response.write(formatEvent(data, event));
    if (this.#response.writableLength > this.#unsentBytes) this.#response.destroy();
  }

  /** Sends what may be missed: a client that does not keep up misses it. */
  offer(data: string): void {
    if (this.#keepsUp) this.#response.write(formatEvent(data));
  }

  /** Shows a client that waits that the stream is alive. */
  keepAlive(): void {
    if (this.#keepsUp) this.#response.write(keepAliveComment);
  }

  /** Ends the stream, with a last event if there is one. */
  end(data?: string): void {
    if (this.#isOpen) this.#response.end(data === undefined ? undefined : formatEvent(data));
  }

  get #isOpen(): boolean {
    return !this.#response.writableEnded && !this.#response.destroyed;
  }

  get #keepsUp(): boolean {
    return this.#isOpen && !this.#response.writableNeedDrain;
  }
}
