import type { Readable, Writable } from 'node:stream';
import { rpcCode } from '@errand/wire';
import { LineSplitter, LineWriter, type LongLine, parseJson } from '@errand/wire/node';
import type { JSONRPCMessage, RequestId, Transport } from '@modelcontextprotocol/server';
import { serveStdio as serveSdk } from '@modelcontextprotocol/server/stdio';
import { buildSdkServer } from '../build-sdk-server.ts';
import { Conversation } from '../json-rpc/conversation.ts';
import { errorReply, replyTo } from '../json-rpc/sdk-message.ts';
import type { Limits } from '../limits.ts';
import type { LiveServer } from '../live-server.ts';
import type { Logger } from '../logger.ts';
import type { ServedTransport } from '../served-transport.ts';
import type { Session } from '../sessions.ts';

interface Pipes {
  readonly input: Readable;
  readonly output: Writable;
}

interface Batch {
  readonly waiting: Set<RequestId>;
  readonly replies: JSONRPCMessage[];
}

/** How long answers may still be written after the client has closed its end. */
const farewell = 80;

/** The transport that standard input and output are, with the moment its one client is gone. */
export interface ServedStdio extends ServedTransport {
  readonly finished: Promise<void>;
}

/** Serves the one client at the other end of standard input and output. */
export function serveStdio(live: LiveServer, pipes: Pipes): ServedStdio {
  const opened = live.sessions.open('stdio', () => handle.close());
  if (opened.kind === 'refused') throw new Error(opened.message);
  const { session } = opened;
  const transport = new StdioTransport(pipes, session, live.limits, live.log);
  const handle = serveSdk(() => buildSdkServer(live.shared, session), {
    transport,
    onerror: (error) => live.shared.onUnserved('stdio', error),
  });
  const finished = transport.finished.then(async () => {
    await handle.close();
    live.sessions.close(session, transport.broken);
  });
  return {
    type: 'stdio',
    configuration: {},
    finished,
    get isActive() {
      return session.status === 'connected';
    },
    close: () => handle.close().then(() => live.sessions.close(session)),
  };
}

/** One message per line. What cannot be served is answered here: the SDK's reader is silent. */
class StdioTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #pipes: Pipes;
  readonly #session: Session;
  readonly #limits: Limits;
  readonly #log: Logger;
  readonly #splitter: LineSplitter;
  readonly #conversation: Conversation;
  readonly #batches = new Map<RequestId, Batch>();
  readonly #finished = Promise.withResolvers<void>();
  readonly #writer: LineWriter;
  #hasEnded = false;
  #isClosed = false;
  #broken: Error | undefined;

  constructor(pipes: Pipes, session: Session, limits: Limits, log: Logger) {
    this.#pipes = pipes;
    this.#session = session;
    this.#conversation = new Conversation(session);
    this.#limits = limits;
    this.#log = log;
    const { input, output } = pipes;
    const pauseAbove = limits.unsentBytes;
    this.#writer = new LineWriter(output, {
      maxWaiting: Number.POSITIVE_INFINITY,
      input,
      pauseAbove,
    });
    this.#splitter = new LineSplitter(limits.lineBytes, {
      line: (line) => this.#readLine(line),
      tooLong: (line) => this.#refuse(line),
    });
  }

  /** Why the connection broke, if it did. */
  get broken(): Error | undefined {
    return this.#broken;
  }

  /** Settles when the client has gone and what it still asked for is answered, or it cannot be. */
  get finished(): Promise<void> {
    return this.#finished.promise;
  }

  async start(): Promise<void> {
    const { input, output } = this.#pipes;
    input.on('data', this.#onData);
    input.on('end', this.#onEnd);
    input.on('error', this.#onBroken);
    output.on('error', this.#onBroken);
    if (input.readableEnded || input.destroyed) this.#onEnd();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) return;
    this.#conversation.sent(message);
    const id = 'method' in message ? undefined : message.id;
    const batch = id === undefined ? undefined : this.#batches.get(id);
    if (id === undefined || batch === undefined) this.#write(message);
    else {
      batch.replies.push(message);
      this.#leaveBatch(id);
    }
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#writer[Symbol.dispose]();
    const { input } = this.#pipes;
    input.off('data', this.#onData);
    input.off('end', this.#onEnd);
    input.pause();
    this.#finished.resolve();
    this.onclose?.();
  }

  readonly #onData = (chunk: Buffer) => this.#splitter.push(chunk);

  readonly #onEnd = () => {
    this.#splitter.end();
    this.#hasEnded = true;
    this.#finishIfAnswered();
    setTimeout(() => this.#finished.resolve(), farewell);
  };

  readonly #onBroken = (error: Error) => {
    this.#broken = error;
    this.onerror?.(error);
    this.#finished.resolve();
  };

  readonly #finishIfAnswered = () => {
    const isWritten = this.#writer.waiting === 0;
    if (this.#hasEnded && isWritten && this.#session.unanswered === 0) this.#finished.resolve();
  };

  #readLine(line: Buffer): void {
    if (line.every(isBlank)) return;
    const parsed = parseJson(line);
    if (parsed.kind === 'json') this.#accept(parsed.value);
    else this.#write(replyTo(parsed));
  }

  #refuse({ id, bytes }: LongLine): void {
    const { lineBytes } = this.#limits;
    const message = `A message has ${bytes} bytes; at most ${lineBytes} are read.`;
    this.#write(errorReply(id ?? null, rpcCode.invalidRequest, message));
  }

  #accept(value: unknown): void {
    const { messages, replies, unusable, cancelled, isBatch } = this.#conversation.accept(value);
    for (const reason of unusable) this.#log.warn({ reason }, 'a message cannot be used');
    if (isBatch) this.#openBatch(messages, replies);
    else for (const reply of replies) this.#write(reply);
    for (const message of messages) this.onmessage?.(message);
    for (const id of cancelled) this.#leaveBatch(id);
  }

  #openBatch(messages: readonly JSONRPCMessage[], replies: readonly JSONRPCMessage[]): void {
    const ids = messages.flatMap((message) =>
      'method' in message && 'id' in message ? [message.id] : [],
    );
    const batch: Batch = { waiting: new Set(ids), replies: [...replies] };
    for (const id of ids) this.#batches.set(id, batch);
    if (ids.length === 0 && replies.length > 0) this.#write(batch.replies);
  }

  #leaveBatch(id: RequestId): void {
    const batch = this.#batches.get(id);
    if (batch === undefined) return;
    this.#batches.delete(id);
    batch.waiting.delete(id);
    if (batch.waiting.size === 0 && batch.replies.length > 0) this.#write(batch.replies);
  }

  #write(message: JSONRPCMessage | readonly JSONRPCMessage[]): void {
    const written = this.#writer.writeTogether(`${JSON.stringify(message)}\n`);
    // A broken pipe is noticed by the output's own event.
    written.then(this.#finishIfAnswered, () => {});
  }
}

function isBlank(byte: number): boolean {
  return byte <= 0x20;
}
