import type { ServerResponse } from 'node:http';
import { errorLine, type RequestId, type RpcError } from './json-rpc.ts';
import type { UnsentAnswers } from './unsent-answers.ts';

/** What less than this is left of an answer is the business of the socket's buffer alone. */
const countedBytes = 64 * 1024;

const streamHeaders = [
  'Content-Type',
  'text/event-stream',
  'Cache-Control',
  'no-cache, no-transform',
  // Proxies would otherwise hold events back.
  'X-Accel-Buffering',
  'no',
];

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
  #isStream = false;
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
    // What is written to a client that has just gone fails; there is nobody to tell.
    response.on('error', ignore);
  }

  get canStream(): boolean {
    return this.#options.canStream && !this.#response.writableEnded && !this.#response.destroyed;
  }

  /** Sends a message before the answer. A client that does not keep up misses it. */
  readonly notify = (line: string): void => {
    if (!this.canStream) return;
    this.openStream();
    if (!this.#response.writableNeedDrain) this.#response.write(event(line));
  };

  /** Sends a question before the answer; false when the client does not take events. */
  readonly ask = (line: string): boolean => {
    if (!this.canStream) return false;
    this.openStream();
    this.#response.write(event(line));
    return true;
  };

  openStream(): void {
    if (this.#isStream) return;
    this.#isStream = true;
    this.#response.writeHead(200, streamHeaders);
    this.#response.flushHeaders();
  }

  /** Called now and then: a long silence would make clients and proxies give up. */
  keepAlive(): void {
    // An answer that its client takes slowly has ended all the same.
    if (this.#response.writableEnded) return;
    if (this.#isOld && this.#options.canStream) this.openStream();
    this.#isOld = true;
    if (this.#isStream && !this.#response.writableNeedDrain) this.#response.write(': waiting\n\n');
  }

  /** Sends the answer; without one the exchange ends in silence. */
  end(line: string | undefined, status = 200, headers: readonly string[] = []): void {
    if (this.#response.writableEnded || this.#response.destroyed) return;
    if (this.#isStream) this.#response.end(line === undefined ? undefined : event(line));
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

/** Answers with one JSON text. */
function sendJson(
  response: ServerResponse,
  status: number,
  text: string,
  headers: readonly string[] = [],
): void {
  const length = Buffer.byteLength(text);
  response.writeHead(status, [
    'Content-Type',
    'application/json',
    'Content-Length',
    String(length),
    ...headers,
  ]);
  // Where every character is one byte, it need not be encoded.
  response.end(text, length === text.length ? 'latin1' : 'utf8');
}

/** Answers with a JSON-RPC error. */
export function sendError(
  response: ServerResponse,
  status: number,
  error: RpcError,
  id: RequestId | null = null,
): void {
  sendJson(response, status, errorLine(id, error));
}

/** Answers with a status and nothing else. */
export function sendStatus(response: ServerResponse, status: number): void {
  response.writeHead(status, ['Content-Length', '0']);
  response.end();
}

function event(line: string): string {
  return `event: message\ndata: ${line}\n\n`;
}
