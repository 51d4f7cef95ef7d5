import type { ServerResponse } from 'node:http';
import { errorLine, type RequestId, type RpcError } from '@errand/wire';
import { EventStream, type ReplyHeaders, sendJson, sendStatus } from '@errand/wire/node';
import type { UnsentAnswers } from './unsent-answers.ts';

/** What less than this is left of an answer is the business of the socket's buffer alone. */
const countedBytes = 64 * 1024;

interface ReplyOptions {
  readonly canStream: boolean;
  /** Whom unsent answers are counted for. */
  readonly client: object;
  readonly unsent: UnsentAnswers;
  /** Called when the client goes away before the end. */
  readonly onGone: () => void;
}

/** The answer to one HTTP request: plain JSON, or a stream of events once there is more to say. */
export class HttpReply {
  readonly #response: ServerResponse;
  readonly #options: ReplyOptions;
  #stream: EventStream | undefined;
  #isOld = false;

  /** Called when nothing more can be sent. */
  onClosed: (() => void) | undefined;

  constructor(response: ServerResponse, options: ReplyOptions) {
    this.#response = response;
    this.#options = options;
    response.on('close', () => {
      this.onClosed?.();
      if (!response.writableEnded) options.onGone();
    });
    // Writing to a client that has disconnected fails, and there is nobody to report it to.
    response.on('error', ignore);
  }

  get canStream(): boolean {
    return this.#options.canStream && !this.#response.writableEnded && !this.#response.destroyed;
  }

  /** Sends a message before the answer. A client that does not keep up misses it. */
  readonly notify = (line: string): void => {
    if (this.canStream) this.openStream().offer(line);
  };

  /** Sends a question before the answer; false when the client does not take events. */
  readonly ask = (line: string): boolean => {
    if (!this.canStream) return false;
    this.openStream().send(line);
    return true;
  };

  openStream(): EventStream {
    const unsentBytes = this.#options.unsent.perClient;
    this.#stream ??= new EventStream(this.#response, { unsentBytes });
    return this.#stream;
  }

  /** Called now and then: a long silence would make clients and proxies give up. */
  keepAlive(): void {
    // An answer that its client takes slowly has ended all the same.
    if (this.#response.writableEnded) return;
    if (this.#isOld && this.#options.canStream) this.openStream();
    this.#isOld = true;
    this.#stream?.keepAlive();
  }

  /** Sends the answer; without one the exchange ends in silence. */
  end(line: string | undefined, status = 200, headers?: ReplyHeaders): void {
    if (this.#response.writableEnded || this.#response.destroyed) return;
    if (this.#stream !== undefined) this.#stream.end(line);
    else if (line === undefined) sendStatus(this.#response, 202);
    else sendJson(this.#response, status, line, headers);
    this.#countUnsent();
  }

  #countUnsent(): void {
    const response = this.#response;
    const bytes = response.writableLength;
    if (bytes < countedBytes) return;
    const { client, unsent } = this.#options;
    const remove = unsent.add(client, { bytes, cut: () => response.destroy() });
    response.on('close', remove);
  }
}

function ignore(): void {}

/** Answers with a JSON-RPC error. */
export function sendError(
  response: ServerResponse,
  status: number,
  error: RpcError,
  id: RequestId | null = null,
): void {
  sendJson(response, status, errorLine(id, error));
}
