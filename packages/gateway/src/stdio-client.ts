import { randomUUID } from 'node:crypto';
import { describeFault } from '@errand/host';
import {
  type Era,
  errorLine,
  type Incoming,
  isRecord,
  type JsonObject,
  type RpcNotification,
  type RpcRequest,
  rpcCode,
} from '@errand/wire';
import { type IncomingText, type LongLine, readText } from '@errand/wire/node';
import { answerBatch, batchError } from './answer-batch.ts';
import { claimsVersion, envelopeError } from './check-modern-request.ts';
import { ClientQuestions } from './client-questions.ts';
import type { Exchange } from './exchange.ts';
import type { Gateway } from './gateway.ts';
import { agreedVersion, listChanged, metaKey, sessionName } from './protocol.ts';
import { WatchedResources } from './resource-subscriptions.ts';
import { RunningRequests } from './running-requests.ts';
import { shutdown } from './shutdown.ts';

interface StdioWire {
  readonly gateway: Gateway;
  readonly query: string;
  readonly sessionPrefix: string;
  readonly send: (line: string) => void;
  /** Sends what may be dropped when the client does not keep up. */
  readonly notify: (line: string) => void;
}

/** The one client on the standard streams; it may speak either era, or both. */
export class StdioClient implements Disposable {
  readonly #wire: StdioWire;
  readonly #running = new RunningRequests();
  /** Requests that are answered only when the client or the gateway leaves. */
  readonly #subscriptions = new RunningRequests();
  readonly #questions = new ClientQuestions();
  readonly #watched = new WatchedResources((line) => this.#wire.notify(line));
  readonly #suffix = `:${randomUUID().slice(0, 8)}`;
  #sessionId: string;
  #protocolVersion = agreedVersion(undefined);
  #capabilities: JsonObject = {};
  #stopListening: (() => void) | undefined;
  #unanswered = 0;
  #onIdle: (() => void) | undefined;

  constructor(wire: StdioWire) {
    this.#wire = wire;
    this.#sessionId = this.#nameOf(undefined);
  }

  /** Takes one line of the client's. */
  take(line: Buffer): void {
    this.#unanswered += 1;
    void this.#takeText(readText(line))
      .catch((error: unknown) => {
        const message = `Internal error: ${describeFault(error)}`;
        return errorLine(null, { code: rpcCode.internalError, message });
      })
      .then((answer) => {
        if (answer !== undefined) this.#wire.send(answer);
        this.#unanswered -= 1;
        if (this.#unanswered === 0) this.#onIdle?.();
      });
  }

  /** Refuses a message that was not read, under its id where that can be found. */
  refuse({ id, bytes }: LongLine): void {
    const message = `Invalid Request: the line has ${bytes} bytes, which is too long. Send less at once.`;
    this.#wire.send(errorLine(id ?? null, { code: rpcCode.invalidRequest, message }));
  }

  /** Nothing more will be asked; what is under way goes on. */
  endInput(): void {
    this.#stopListening?.();
    this.#questions.close();
    this.#watched[Symbol.dispose]();
    this.#subscriptions.cancelAll(shutdown);
  }

  /** Resolves when every request so far is answered. */
  idle(): Promise<void> {
    if (this.#unanswered === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onIdle = resolve;
    });
  }

  cancelAll(reason?: unknown): void {
    this.#running.cancelAll(reason);
    this.#subscriptions.cancelAll(reason);
  }

  [Symbol.dispose](): void {
    this.endInput();
    this.cancelAll();
  }

  async #takeText(text: IncomingText): Promise<string | undefined> {
    return text.kind === 'batch' ? this.#takeBatch(text.batch) : this.#takeMessage(text);
  }

  async #takeBatch(batch: readonly unknown[]): Promise<string | undefined> {
    const error = batchError(batch, this.#protocolVersion);
    if (error !== undefined) return errorLine(null, error);
    return answerBatch(batch, (message) => this.#takeMessage(message));
  }

  async #takeMessage(message: Incoming): Promise<string | undefined> {
    if (message.kind === 'invalid') {
      return message.isAnswerable ? errorLine(message.id, message.error) : undefined;
    }
    if (message.kind === 'notification') this.#takeNotification(message);
    if (message.kind === 'response') this.#questions.take(message);
    return message.kind === 'request' ? this.#answer(message) : undefined;
  }

  #takeNotification({ method, params }: RpcNotification): void {
    if (method === 'notifications/cancelled') {
      this.#running.cancel(params.requestId);
      this.#subscriptions.cancel(params.requestId);
    }
    if (method !== 'notifications/initialized') return;
    const { gateway, notify } = this.#wire;
    this.#stopListening ??= gateway.onListChanged((list) => notify(listChanged[list]));
  }

  async #answer(request: RpcRequest): Promise<string | undefined> {
    const { gateway } = this.#wire;
    const { id, method, params } = request;
    const era = claimsVersion(params) ? 'modern' : 'legacy';
    const error = era === 'modern' ? envelopeError(request) : undefined;
    if (error !== undefined) return errorLine(id, error);
    if (era === 'legacy' && method === 'initialize') {
      this.#sessionId = this.#nameOf(params.clientInfo);
      this.#protocolVersion = agreedVersion(params.protocolVersion);
      this.#capabilities = isRecord(params.capabilities) ? params.capabilities : {};
    }
    const controller = new AbortController();
    const exchange = this.#exchange(era, params, controller.signal);
    const running = method === 'subscriptions/listen' ? this.#subscriptions : this.#running;
    const answer = await running.run(id, controller, () => gateway.answer(request, exchange));
    return answer?.line;
  }

  #nameOf(clientInfo: unknown): string {
    return this.#wire.sessionPrefix + sessionName(clientInfo, this.#suffix);
  }

  #exchange(era: Era, params: JsonObject, signal: AbortSignal): Exchange {
    const { query, notify, send } = this.#wire;
    const common = { era, sessionId: this.#sessionId, query, signal, notify };
    if (era === 'modern') {
      const meta = params._meta as JsonObject;
      return { ...common, capabilities: meta[metaKey.clientCapabilities] as JsonObject };
    }
    const sendLine = (line: string) => {
      send(line);
      return true;
    };
    return {
      ...common,
      capabilities: this.#capabilities,
      watched: this.#watched,
      ask: (method, asked, wanted) =>
        this.#questions.ask(method, asked, sendLine, AbortSignal.any([wanted, signal])),
    };
  }
}
