import type { Socket } from 'node:net';
import { nextTick } from 'node:process';
import { type ErrorInfo, HostError } from '@errand/host';
import {
  errorLine,
  isRecord,
  notificationLine,
  onAbort,
  type RequestId,
  type RpcResponse,
  readMessage,
  requestLine,
  resultLine,
  rpcCode,
} from '@errand/wire';
import { LineSplitter } from '@errand/wire/node';

/** The methods that one side answers: what each takes and gives. */
export type Methods<Shape> = {
  readonly [Method in keyof Shape]: Shape[Method] extends { params: infer P; result: infer R }
    ? (params: P, context: { readonly signal: AbortSignal }) => R | Promise<R>
    : never;
};

interface Call {
  readonly params: object;
  readonly result: unknown;
}

/** The other side of a connection has gone. */
export class PeerGone extends Error {
  override readonly name = 'PeerGone';
  /** Whether what failed was never sent. */
  readonly neverSent: boolean;

  constructor(message: string, { neverSent = false } = {}) {
    super(message);
    this.neverSent = neverSent;
  }
}

export interface RequestOptions {
  /** Asks the other side to end the request, whose answer is still waited for. */
  readonly signal?: AbortSignal | undefined;
}

/** Longer messages are not read; the largest answer that a server may give is far below. */
const maxMessage = 512 * 1024 * 1024;

/** A peer that lets more than this wait is taken for one that does not read. */
const maxUnread = 256 * 1024 * 1024;

/** One end of a socket over which both sides make requests: JSON-RPC, one message per line. */
export class RpcPeer<
  Remote extends { [Method in keyof Remote]: Call },
  Local extends { [Method in keyof Local]: Call },
> {
  /** Resolves when the connection has ended. */
  readonly closed: Promise<void>;
  readonly #socket: Socket;
  readonly #methods: Methods<Local>;
  readonly #pending = new Map<RequestId, PromiseWithResolvers<unknown>>();
  readonly #running = new Map<RequestId, AbortController>();
  #lastId = 0;
  #isCorked = false;

  constructor(socket: Socket, methods: Methods<Local>) {
    this.#socket = socket;
    this.#methods = methods;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.closed = promise;
    const splitter = new LineSplitter(maxMessage, {
      line: (line) => this.#receive(line),
      tooLong: () => socket.destroy(),
    });
    socket.on('data', (chunk) => splitter.push(chunk));
    socket.on('close', () => {
      const gone = new PeerGone('The connection has ended.');
      for (const { reject } of this.#pending.values()) reject(gone);
      for (const running of this.#running.values()) running.abort(gone);
      this.#pending.clear();
      resolve();
    });
    socket.resume();
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed;
  }

  /** Rejects with what the other side threw, or with `PeerGone`. */
  async request<Method extends keyof Remote & string>(
    method: Method,
    params: Remote[Method]['params'],
    { signal }: RequestOptions = {},
  ): Promise<Remote[Method]['result']> {
    if (!this.isOpen) throw new PeerGone('The connection has ended.', { neverSent: true });
    this.#lastId += 1;
    const id = this.#lastId;
    const answer = Promise.withResolvers<unknown>();
    this.#pending.set(id, answer);
    this.#write(requestLine(id, method, params as Record<string, unknown>));
    using _aborting = onAbort(signal, () => this.#write(notificationLine('abort', { id })));
    try {
      return (await answer.promise) as Remote[Method]['result'];
    } catch (error) {
      if (!(error instanceof PeerGone)) signal?.throwIfAborted();
      throw error;
    }
  }

  notify<Method extends keyof Remote & string>(
    method: Method,
    params: Remote[Method]['params'],
  ): void {
    this.#write(notificationLine(method, params as Record<string, unknown>));
  }

  close(): void {
    this.#socket.destroy();
  }

  #write(line: string): void {
    if (!this.isOpen) return;
    if (this.#socket.writableLength > maxUnread) {
      this.#socket.destroy();
      return;
    }
    // What is said in one turn of the event loop goes to the system together.
    if (!this.#isCorked) {
      this.#isCorked = true;
      this.#socket.cork();
      nextTick(() => {
        this.#isCorked = false;
        this.#socket.uncork();
      });
    }
    this.#socket.write(`${line}\n`);
  }

  #receive(line: Buffer): void {
    const message = readMessage(parse(line));
    switch (message.kind) {
      case 'response':
        this.#settle(message);
        return;
      case 'request':
        void this.#answer(message.id, message.method, message.params);
        return;
      case 'notification':
        if (message.method === 'abort') this.#running.get(message.params.id as RequestId)?.abort();
        else void this.#run(message.method, message.params, neverAborted).catch(() => undefined);
        return;
      case 'invalid':
        this.#socket.destroy();
    }
  }

  #settle({ id, result, error }: RpcResponse): void {
    const pending = id === null ? undefined : this.#pending.get(id);
    if (id === null || pending === undefined) return;
    this.#pending.delete(id);
    if (error === undefined) pending.resolve(result);
    else if (isErrorInfo(error.data)) pending.reject(HostError.of(error.data));
    else pending.reject(new Error(error.message));
  }

  async #answer(id: RequestId, method: string, params: object): Promise<void> {
    const running = new AbortController();
    this.#running.set(id, running);
    try {
      const result = await this.#run(method, params, running.signal);
      this.#write(resultLine(id, JSON.stringify(isRecord(result) ? result : {})));
    } catch (error) {
      this.#write(errorLine(id, errorOf(error)));
    } finally {
      this.#running.delete(id);
    }
  }

  async #run(method: string, params: object, signal: AbortSignal): Promise<unknown> {
    if (!Object.hasOwn(this.#methods, method)) throw new Error(`There is no method "${method}".`);
    const handler = this.#methods[method as keyof Local] as (
      params: object,
      context: { readonly signal: AbortSignal },
    ) => unknown;
    return handler(params, { signal });
  }
}

const neverAborted = new AbortController().signal;

function parse(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString('utf8'));
  } catch {
    return undefined;
  }
}

function errorOf(error: unknown) {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof HostError)) return { code: rpcCode.internalError, message };
  return { code: rpcCode.serverError, message, data: infoOf(error) };
}

/** A failure as a value that can be sent. */
export function infoOf({ code, message, facts, advice }: HostError): ErrorInfo {
  return { code, message, facts, ...(advice.length > 0 && { advice }) };
}

function isErrorInfo(value: unknown): value is ErrorInfo {
  return isRecord(value) && typeof value.code === 'string' && typeof value.message === 'string';
}
