import { readMessage, rpcCode } from '@errand/wire';
import {
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
  PROTOCOL_VERSION_META_KEY,
  type RequestId,
} from '@modelcontextprotocol/server';
import type { Session } from '../sessions.ts';
import { checkParams } from './check-params.ts';
import { declaredCapabilities } from './declared-capabilities.ts';
import { asSdkMessage, errorReply, replyTo } from './sdk-message.ts';

/** What to do with one JSON value that a client sent. */
interface Accepted {
  readonly messages: readonly JSONRPCMessage[];
  readonly replies: readonly JSONRPCErrorResponse[];
  readonly unusable: readonly string[];
  /** Requests that the client no longer wants answered. */
  readonly cancelled: readonly RequestId[];
  readonly isBatch: boolean;
}

/** The revisions in which several messages may come as one array. */
const batching: readonly string[] = ['2024-11-05', '2025-03-26'];
const maximumBatch = 100;
const maximumWaiting = 1_000;

/**
 * The rules of one connection that hold before a message reaches the SDK: it begins with
 * `initialize` (or names a newer revision in each request), and no id is used twice at a time.
 */
export class Conversation {
  readonly #session: Session;
  readonly #waiting = new Map<RequestId, ReturnType<Session['begin']>>();
  readonly #subscriptions = new Set<RequestId>();
  #initializing: JSONRPCRequest | undefined;
  #version: string | undefined;

  constructor(session: Session) {
    this.#session = session;
  }

  /** Whether the client has begun its handshake, and the handshake was not refused. */
  get isInitialized(): boolean {
    return this.#initializing !== undefined;
  }

  accept(value: unknown): Accepted {
    this.#session.touch();
    if (!Array.isArray(value)) return this.#acceptAll([value], false);
    const supportsBatches = this.#version !== undefined && batching.includes(this.#version);
    if (supportsBatches && value.length > 0 && value.length <= maximumBatch) {
      return this.#acceptAll(value, true);
    }
    const message = supportsBatches
      ? `A batch has 1 to ${maximumBatch} messages; this one has ${value.length}.`
      : 'This protocol version has no batches: send each message by itself.';
    const replies = [errorReply(null, rpcCode.invalidRequest, message)];
    return { messages: [], replies, unusable: [], cancelled: [], isBatch: false };
  }

  /** Notes that a message went out: a response frees its id. */
  sent(message: JSONRPCMessage): void {
    this.#session.touch();
    if ('method' in message || message.id === undefined) return;
    this.#free(message.id, 'result' in message ? 'answered' : 'failed');
    if (message.id !== this.#initializing?.id || this.#version !== undefined) return;
    if ('result' in message) this.#version = String(message.result.protocolVersion);
    else this.#initializing = undefined;
  }

  #acceptAll(values: readonly unknown[], isBatch: boolean): Accepted {
    const messages: JSONRPCMessage[] = [];
    const replies: JSONRPCErrorResponse[] = [];
    const unusable: string[] = [];
    const cancelled: RequestId[] = [];
    for (const value of values) {
      const incoming = readMessage(value);
      if (incoming.kind === 'invalid') {
        if (incoming.isAnswerable) replies.push(replyTo(incoming));
        else unusable.push(incoming.error.message);
      } else if (incoming.kind === 'request') {
        const request = value as JSONRPCRequest;
        const refusal = this.#refusal(request, isBatch);
        if (refusal !== undefined) replies.push(refusal);
        else messages.push(this.#begin(request));
      } else {
        const message = asSdkMessage(value, incoming);
        cancelled.push(...this.#cancelledBy(message));
        messages.push(message);
      }
    }
    return { messages, replies, unusable, cancelled, isBatch };
  }

  #refusal(request: JSONRPCRequest, isBatch: boolean): JSONRPCErrorResponse | undefined {
    const { id, method } = request;
    if (this.#waiting.has(id)) {
      return errorReply(
        id,
        rpcCode.invalidRequest,
        `The id ${JSON.stringify(id)} is already in use.`,
      );
    }
    if (this.#session.isStopping)
      return errorReply(id, rpcCode.serverError, 'This server is stopping.');
    if (this.#waiting.size >= maximumWaiting) {
      const message = `${maximumWaiting} requests are waiting for their answers. Send fewer at once.`;
      return errorReply(id, rpcCode.serverError, message);
    }
    if (method === 'initialize' && (this.#initializing !== undefined || isBatch)) {
      return errorReply(id, rpcCode.invalidRequest, 'This connection is already initialized.');
    }
    const isModern = namesRevision(request);
    const mayComeFirst = isModern || method === 'initialize' || method === 'ping';
    if (this.#initializing === undefined && !mayComeFirst) {
      return errorReply(
        id,
        rpcCode.invalidRequest,
        `Send initialize before ${method.slice(0, 100)}.`,
      );
    }
    const problem = checkParams(request, isModern ? 'modern' : 'legacy');
    return problem === undefined ? undefined : errorReply(id, rpcCode.invalidParams, problem);
  }

  #begin(request: JSONRPCRequest): JSONRPCRequest {
    this.#waiting.set(request.id, this.#session.begin(request.method, request.id));
    // A subscription is answered when it ends, so it is not awaited.
    if (request.method === 'subscriptions/listen') this.#subscriptions.add(request.id);
    this.#count();
    if (request.method === 'initialize') this.#initializing = request;
    this.#session.capabilities = declaredCapabilities(request) ?? this.#session.capabilities;
    return request;
  }

  /** A cancelled request is never answered, so its id is free again. */
  #cancelledBy(message: JSONRPCMessage): readonly RequestId[] {
    if (!('method' in message) || message.method !== 'notifications/cancelled') return [];
    const id = message.params?.requestId;
    if (typeof id !== 'string' && typeof id !== 'number') return [];
    return this.#free(id, 'cancelled') ? [id] : [];
  }

  #free(id: RequestId, outcome: 'answered' | 'failed' | 'cancelled'): boolean {
    this.#subscriptions.delete(id);
    const served = this.#waiting.get(id);
    this.#waiting.delete(id);
    served?.(outcome);
    this.#count();
    return served !== undefined;
  }

  #count(): void {
    this.#session.unanswered = this.#waiting.size - this.#subscriptions.size;
  }
}

/** Whether a request carries its protocol version, as those of 2026-07-28 do. */
function namesRevision({ params }: JSONRPCRequest): boolean {
  return params?._meta !== undefined && PROTOCOL_VERSION_META_KEY in params._meta;
}
