import {
  isInitializedNotification,
  isInitializeRequest,
  isJSONRPCRequest,
  type JSONRPCMessage,
  SdkHttpError,
  type Transport,
  type TransportSendOptions,
} from '@modelcontextprotocol/client';
import { HostError } from '../../host-error.ts';
import { handOver } from '../hand-over.ts';
import { longestMessage, tooLarge } from '../message-limit.ts';
import { parseMessages } from '../parse-messages.ts';
import { refusal } from '../refusal.ts';
import type { HttpAnswer } from './http-line.ts';
import type { HttpPeer } from './http-peer.ts';
import { messageHeaders } from './message-headers.ts';
import { type EndOfStream, readMessageStream } from './message-stream.ts';
import { readText } from './read-body.ts';
import { isSessionRefusal, SessionLost } from './session-lost.ts';
import { sleep } from './sleep.ts';

type Id = string | number;

/** How often the rest of a broken stream is asked for in a row. */
const mostResumptions = 3;

/** Waits before a stream is asked for again: the server's wish, or these. */
const firstWaitMs = 1000;
const longestWaitMs = 60_000;

/** Streamable HTTP in both eras of the protocol. */
export class StreamableTransport implements Transport {
  onclose: Transport['onclose'];
  onerror: Transport['onerror'];
  onmessage: Transport['onmessage'];
  readonly hasPerRequestStream = true;
  readonly #peer: HttpPeer;
  readonly #onStreamLost: () => void;
  readonly #closing = new AbortController();
  /** Requests without an answer, each with the switch that ends its stream. */
  readonly #unanswered = new Map<Id, AbortController>();
  #sessionId: string | undefined;
  #protocolVersion: string | undefined;

  /** `onStreamLost` is told when the stream on which the server speaks unasked cannot be had again. */
  constructor(peer: HttpPeer, onStreamLost: () => void) {
    this.#peer = peer;
    this.#onStreamLost = onStreamLost;
  }

  get sessionId(): string | undefined {
    return this.#sessionId;
  }

  setProtocolVersion(version: string): void {
    this.#protocolVersion = version;
  }

  async start(): Promise<void> {}

  async send(message: JSONRPCMessage, options: TransportSendOptions = {}): Promise<void> {
    const id = isJSONRPCRequest(message) ? message.id : undefined;
    const stop = new AbortController();
    const signal = AbortSignal.any(
      [this.#closing.signal, stop.signal, options.requestSignal].filter(
        (each) => each !== undefined,
      ),
    );
    if (id !== undefined) this.#unanswered.set(id, stop);
    try {
      const answer = await this.#post(message, options.headers, signal);
      if (isInitializeRequest(message)) {
        this.#sessionId = answer?.headers['mcp-session-id']?.toString();
      }
      if (isInitializedNotification(message)) void this.#standBy();
      if (answer === undefined) return;
      if (id === undefined) answer.body.resume();
      else await this.#takeAnswer(answer, id, options, signal);
      this.#forgetCancelled(message);
    } catch (error) {
      if (id !== undefined) this.#unanswered.delete(id);
      throw error;
    }
  }

  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    this.onclose?.();
  }

  /** Tells the server that the session is over. It need not care. */
  async endSession(signal: AbortSignal): Promise<void> {
    if (this.#sessionId === undefined) return;
    const answer = await this.#peer.ask({ method: 'DELETE', headers: this.#headers(), signal });
    answer.body.resume();
  }

  /** Resolves with nothing when the answer has been dealt with: an error in the body of a refusal. */
  async #post(
    message: JSONRPCMessage,
    extra: Readonly<Record<string, string>> | undefined,
    signal: AbortSignal,
  ): Promise<HttpAnswer | undefined> {
    const isHandshake = isInitializeRequest(message);
    try {
      return await this.#peer.ask({
        method: 'POST',
        headers: {
          ...extra,
          ...(isHandshake ? {} : this.#headers()),
          ...messageHeaders(message),
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify(message),
        signal,
      });
    } catch (error) {
      if (this.#sessionId !== undefined && !isHandshake && isSessionRefusal(error)) {
        throw new SessionLost('The server no longer knows the session.', { cause: error });
      }
      // The newer era says with HTTP 400 what the older says with 200.
      const [told] =
        (error instanceof SdkHttpError && parseMessages(String(error.data.text))) || [];
      if (told === undefined || !('error' in told) || !isJSONRPCRequest(message)) throw error;
      if (told.id !== message.id || messageHeaders(message)['mcp-method'] === undefined)
        throw error;
      this.#take(told);
      return undefined;
    }
  }

  async #takeAnswer(
    answer: HttpAnswer,
    id: Id,
    options: TransportSendOptions,
    signal: AbortSignal,
  ) {
    const type = answer.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
    if (type === 'text/event-stream') {
      void this.#readAnswer(answer, id, options, signal);
      return;
    }
    const { server } = this.#peer;
    const text = await readText(answer.body, longestMessage, (bytes) => tooLarge(server, bytes));
    for (const message of parseMessages(text) ?? []) this.#take(message);
    if (this.#unanswered.delete(id)) this.#take(refusal(id, notAnswered(server)));
  }

  /** Reads an answer that comes as a stream, and asks for the rest when it breaks. */
  async #readAnswer(first: HttpAnswer, id: Id, options: TransportSendOptions, signal: AbortSignal) {
    let reason: unknown;
    let answer = first;
    let lastEventId: string | undefined;
    for (let attempt = 0; attempt <= mostResumptions; attempt += 1) {
      const read = await this.#read(answer);
      if (!this.#unanswered.has(id) || signal.aborted) return;
      reason = read.error;
      lastEventId = read.lastEventId ?? lastEventId;
      if (lastEventId === undefined || reason instanceof HostError) break;
      if (read.lastEventId !== undefined) attempt = 0;
      try {
        await sleep(read.retry ?? firstWaitMs, signal);
        answer = await this.#listen(lastEventId, signal);
      } catch (error) {
        reason = error;
        break;
      }
    }
    if (!this.#unanswered.delete(id) || signal.aborted) return;
    if (options.onRequestStreamEnd) options.onRequestStreamEnd();
    else this.#take(refusal(id, cutOff(this.#peer.server, reason)));
  }

  /** Keeps the stream open on which a server of the older era speaks unasked. */
  async #standBy(): Promise<void> {
    const { signal } = this.#closing;
    let lastEventId: string | undefined;
    let wait = firstWaitMs;
    while (!signal.aborted) {
      const started = performance.now();
      try {
        const read = await this.#read(await this.#listen(lastEventId, signal));
        lastEventId = read.lastEventId ?? lastEventId;
        wait = read.retry ?? wait;
        if (read.error !== undefined && !signal.aborted) this.#onStreamLost();
      } catch (error) {
        // Most servers have nothing to say unasked.
        if (error instanceof SdkHttpError && error.status === 405) return;
        if (!signal.aborted) this.#onStreamLost();
      }
      const livedLong = performance.now() - started > longestWaitMs;
      await sleep(wait, signal).catch(() => undefined);
      wait = livedLong ? firstWaitMs : Math.min(wait * 2, longestWaitMs);
    }
  }

  #listen(lastEventId: string | undefined, signal: AbortSignal): Promise<HttpAnswer> {
    return this.#peer.ask({
      method: 'GET',
      headers: {
        ...this.#headers(),
        accept: 'text/event-stream',
        ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
      },
      signal,
    });
  }

  #read(answer: HttpAnswer): Promise<EndOfStream> {
    return readMessageStream(this.#peer.server, answer, (message) => this.#take(message));
  }

  #take(message: JSONRPCMessage): void {
    if (!('method' in message) && message.id !== undefined) this.#unanswered.delete(message.id);
    handOver(this, message);
  }

  /** The answer to a request that was cancelled is not waited for. */
  #forgetCancelled(message: JSONRPCMessage): void {
    if (!('method' in message) || message.method !== 'notifications/cancelled') return;
    const id = message.params?.requestId as Id;
    this.#unanswered.get(id)?.abort();
    this.#unanswered.delete(id);
  }

  #headers(): Record<string, string> {
    return {
      ...(this.#sessionId !== undefined && { 'mcp-session-id': this.#sessionId }),
      ...(this.#protocolVersion !== undefined && { 'mcp-protocol-version': this.#protocolVersion }),
    };
  }
}

function notAnswered(server: string): HostError {
  return new HostError(
    'tool_failed',
    `Server "${server}" accepted the request and answered with something else. This is a fault of the server; tell the people who make it.`,
    { server },
  );
}

function cutOff(server: string, reason: unknown): HostError {
  if (reason instanceof HostError && reason.code === 'result_too_large') return reason;
  return new HostError(
    'server_unavailable',
    `The connection to server "${server}" was cut before the whole answer came. Whether it did what was asked is not known.`,
    { server },
    { cause: reason },
  );
}
