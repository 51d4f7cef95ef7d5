import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { HostError } from '../host-error.ts';
import { testAdvice } from '../servers/test-advice.ts';
import { within } from '../within.ts';
import { guessMessageId } from './guess-message-id.ts';
import { handOver } from './hand-over.ts';
import { LineCalls } from './line-calls.ts';
import type { LinePipe } from './line-pipe.ts';
import { LineSplitter } from './line-splitter.ts';
import { LineWriter, type UnwrittenLine } from './line-writer.ts';
import { longestMessage, tooLarge } from './message-limit.ts';
import { parseMessages } from './parse-messages.ts';
import { refusal } from './refusal.ts';

const momentMs = 100;

const space = 0x20;
const openingBrace = 0x7b;
const openingBracket = 0x5b;

/** MCP as lines of JSON over the standard streams of a server. Closing it leaves the server running. */
export class LineTransport implements Transport {
  onclose: Transport['onclose'];
  onerror: Transport['onerror'];
  onmessage: Transport['onmessage'];
  readonly #pipe: LinePipe;
  readonly #server: string;
  readonly #onGarbage: (line: string) => void;
  readonly #splitter: LineSplitter;
  readonly #takeChunk = (chunk: Buffer) => this.#splitter.push(chunk);
  /** For requests that do not go through the SDK. */
  readonly calls = new LineCalls({
    send: (message) => this.send(message),
    sendTogether: (message) => this.#handedOver(this.#writer.writeTogether(lineOf(message))),
  });
  readonly #writer: LineWriter;
  #isOpen = false;

  constructor(pipe: LinePipe, server: string, onGarbage: (line: string) => void) {
    this.#pipe = pipe;
    this.#writer = new LineWriter(pipe.input);
    this.#server = server;
    this.#onGarbage = onGarbage;
    this.#splitter = new LineSplitter(longestMessage, {
      line: (line) => this.#takeLine(line),
      tooLong: ({ head, tail, bytes }) => this.#refuse(head, tail, tooLarge(server, bytes)),
    });
  }

  async start(): Promise<void> {
    this.#isOpen = true;
    this.#pipe.output.on('data', this.#takeChunk);
    void this.#pipe.ended.then(() => this.close());
  }

  send(message: JSONRPCMessage): Promise<void> {
    return this.#handedOver(this.#writer.write(lineOf(message)));
  }

  #handedOver(writing: Promise<void>): Promise<void> {
    return writing.catch(async (error) => {
      throw await this.#isGone(error);
    });
  }

  async close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#pipe.output.off('data', this.#takeChunk);
    this.calls.close();
    this.onclose?.();
  }

  #takeLine(line: Buffer): void {
    const messages = looksLikeJson(line) ? parseMessages(line.toString('utf8')) : undefined;
    if (messages === undefined) this.#refuse(line, line, notJson(this.#server));
    for (const message of messages ?? []) this.#deliver(message);
  }

  /** Answers the call that an unreadable line belongs to, so that nobody waits for it. */
  #refuse(head: Buffer, tail: Buffer, error: HostError): void {
    const id = guessMessageId(head.toString('utf8', 0, 1024), tail.subarray(-1024).toString());
    if (id === undefined) this.#onGarbage(head.toString('utf8', 0, 1024));
    else this.#deliver(refusal(id, error));
  }

  #deliver(message: JSONRPCMessage): void {
    if (!this.calls.take(message)) handOver(this, message);
  }

  /** A pipe breaks a moment before the end of the server is known, and that end says more. */
  async #isGone(cause: UnwrittenLine): Promise<HostError> {
    const ended = await within(this.#pipe.ended, momentMs);
    const message =
      ended?.message ?? `Server "${this.#server}" takes no more input. ${testAdvice(this.#server)}`;
    const facts = { server: this.#server, lastWords: this.#pipe.lastWords(), ...ended?.facts };
    return new HostError(
      'server_unavailable',
      message,
      { ...facts, neverSent: cause.neverSent },
      { cause },
    );
  }
}

function lineOf(message: JSONRPCMessage): string {
  return `${JSON.stringify(message)}\n`;
}

/** Most garbage is log text; it is told apart without the cost of a failed parse. */
function looksLikeJson(line: Buffer): boolean {
  const first = line.find((byte) => byte > space);
  return first === openingBrace || first === openingBracket;
}

function notJson(server: string): HostError {
  return new HostError(
    'tool_failed',
    `Server "${server}" answered with something that is not JSON. This is a fault of the server; tell the people who make it.`,
    { server },
  );
}
