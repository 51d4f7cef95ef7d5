import { randomUUID } from 'node:crypto';
import { answerBatch, batchError } from './answer-batch.ts';
import { claimsVersion, envelopeError } from './check-modern-request.ts';
import type { Gateway } from './gateway.ts';
import {
  errorLine,
  type Incoming,
  listChanged,
  parseJson,
  type RpcNotification,
  type RpcRequest,
  readMessage,
  rpcCode,
} from './json-rpc.ts';
import { agreedVersion, sessionName } from './protocol.ts';
import { RunningRequests } from './running-requests.ts';

interface StdioWire {
  readonly gateway: Gateway;
  readonly query: string;
  readonly send: (line: string) => void;
  /** Sends what may be dropped when the client does not keep up. */
  readonly notify: (line: string) => void;
}

/** The one client on the standard streams; it may speak either era, or both. */
export class StdioClient implements Disposable {
  readonly #wire: StdioWire;
  readonly #running = new RunningRequests();
  readonly #suffix = `:${randomUUID().slice(0, 8)}`;
  #sessionId = sessionName(undefined, this.#suffix);
  #protocolVersion = agreedVersion('');
  #stopListening: (() => void) | undefined;

  constructor(wire: StdioWire) {
    this.#wire = wire;
  }

  /** Takes one line of the client's. */
  take(line: string): void {
    void this.#takeValue(parseJson(line)).then((answer) => {
      if (answer !== undefined) this.#wire.send(answer);
    });
  }

  /** Refuses a message that was not read. */
  refuse(problem: string): void {
    const message = `Invalid Request: the line has ${problem}`;
    this.#wire.send(errorLine(null, { code: rpcCode.invalidRequest, message }));
  }

  [Symbol.dispose](): void {
    this.#stopListening?.();
    this.#running.cancelAll();
  }

  async #takeValue(value: unknown): Promise<string | undefined> {
    if (value === undefined) {
      const error = { code: rpcCode.parseError, message: 'Parse error: the line is not JSON.' };
      return errorLine(null, error);
    }
    return Array.isArray(value) ? this.#takeBatch(value) : this.#takeMessage(readMessage(value));
  }

  async #takeBatch(batch: readonly unknown[]): Promise<string | undefined> {
    const error = batchError(batch, this.#protocolVersion);
    if (error !== undefined) return errorLine(null, error);
    return answerBatch(batch, (message) => this.#takeMessage(message));
  }

  async #takeMessage(message: Incoming): Promise<string | undefined> {
    if (message.kind === 'invalid') return errorLine(message.id, message.error);
    if (message.kind === 'notification') this.#takeNotification(message);
    return message.kind === 'request' ? this.#answer(message) : undefined;
  }

  #takeNotification({ method, params }: RpcNotification): void {
    if (method === 'notifications/cancelled') this.#running.cancel(params.requestId);
    if (method !== 'notifications/initialized') return;
    const { gateway, notify } = this.#wire;
    this.#stopListening ??= gateway.onToolsChanged(() => notify(listChanged));
  }

  async #answer(request: RpcRequest): Promise<string | undefined> {
    const { gateway, query, notify } = this.#wire;
    const { id, method, params } = request;
    const era = claimsVersion(params) ? 'modern' : 'legacy';
    const error = era === 'modern' ? envelopeError(request) : undefined;
    if (error !== undefined) return errorLine(id, error);
    if (era === 'legacy' && method === 'initialize') {
      this.#sessionId = sessionName(params.clientInfo, this.#suffix);
      this.#protocolVersion = agreedVersion(String(params.protocolVersion));
    }
    const controller = new AbortController();
    const { signal } = controller;
    const exchange = { era, sessionId: this.#sessionId, query, signal, notify } as const;
    const answer = await this.#running.run(id, controller, () => gateway.answer(request, exchange));
    return answer?.line;
  }
}
