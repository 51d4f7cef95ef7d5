import type { ServerResponse } from 'node:http';
import { EventStream } from '@errand/wire/node';
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/server';
import type { Limits } from '../limits.ts';
import { replyJson } from './reply.ts';

interface ExchangeOptions {
  readonly limits: Limits;
  readonly headers: Readonly<Record<string, string>>;
  readonly isBatch: boolean;
}

/**
 * The response to one POST. It is plain JSON when it consists of the responses alone, and
 * becomes an event stream when other messages come first or the responses take long.
 */
export class Exchange {
  readonly #response: ServerResponse;
  readonly #options: ExchangeOptions;
  readonly #waiting: Set<RequestId>;
  readonly #replies: JSONRPCMessage[] = [];
  readonly #patience: NodeJS.Timeout;
  #stream: EventStream | undefined;

  constructor(response: ServerResponse, ids: readonly RequestId[], options: ExchangeOptions) {
    this.#response = response;
    this.#options = options;
    this.#waiting = new Set(ids);
    this.#patience = setTimeout(() => this.#openStream(), options.limits.keepAlive);
  }

  /** The requests that have no response yet. */
  get waiting(): readonly RequestId[] {
    return [...this.#waiting];
  }

  /** Sends messages of a running request: progress, logs, questions. */
  tell(message: JSONRPCMessage): void {
    this.#openStream().send(JSON.stringify(message));
  }

  /** Sends a response; the last one ends the exchange. */
  answer(message: JSONRPCMessage, id: RequestId | undefined): void {
    if (id !== undefined) this.#waiting.delete(id);
    if (this.#stream === undefined) this.#replies.push(message);
    else this.tell(message);
    this.#endIfDone();
  }

  /** Gives up on a response that will never come. */
  forget(id: RequestId): void {
    this.#waiting.delete(id);
    this.#endIfDone();
  }

  end(): void {
    clearTimeout(this.#patience);
    this.#stream?.end();
    if (this.#stream === undefined) this.#openStream().end();
  }

  #endIfDone(): void {
    if (this.#waiting.size > 0) return;
    const { headers, isBatch } = this.#options;
    const [only] = this.#replies;
    if (this.#stream !== undefined || only === undefined) {
      this.end();
      return;
    }
    clearTimeout(this.#patience);
    replyJson(this.#response, 200, isBatch ? this.#replies : only, headers);
  }

  #openStream(): EventStream {
    if (this.#stream !== undefined) return this.#stream;
    clearTimeout(this.#patience);
    const { limits, headers } = this.#options;
    this.#stream = new EventStream(this.#response, { ...limits, headers });
    for (const reply of this.#replies.splice(0)) this.tell(reply);
    return this.#stream;
  }
}
