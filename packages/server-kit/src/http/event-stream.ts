import type { ServerResponse } from 'node:http';
import type { Limits } from '../limits.ts';

/** Server-sent events on one HTTP response, with signs of life so that nobody takes it for dead. */
export class EventStream {
  readonly #response: ServerResponse;
  readonly #unsentBytes: number;
  readonly #timer: NodeJS.Timeout;

  constructor(
    response: ServerResponse,
    { keepAlive, unsentBytes }: Limits,
    headers: Readonly<Record<string, string>> = {},
  ) {
    this.#response = response;
    this.#unsentBytes = unsentBytes;
    response.writeHead(200, {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-cache, no-transform',
      'X-Accel-Buffering': 'no',
      ...headers,
    });
    response.flushHeaders();
    this.#timer = setInterval(() => this.#write(': still here\n\n'), keepAlive);
    response.once('close', () => clearInterval(this.#timer));
  }

  send(event: string, data: string): void {
    this.#write(`event: ${event}\ndata: ${data}\n\n`);
  }

  end(): void {
    clearInterval(this.#timer);
    this.#response.end();
  }

  #write(text: string): void {
    if (this.#response.writableEnded || this.#response.destroyed) return;
    this.#response.write(text);
    // A client that never reads must not fill our memory.
    if (this.#response.writableLength > this.#unsentBytes) this.#response.destroy();
  }
}
