import { catchFaults, HostError, within } from '@errand/host';
import { parseMessages } from '@errand/wire';
import {
  FullPipe,
  LineSplitter,
  LineWriter,
  type LongLine,
  type UnwrittenLine,
} from '@errand/wire/node';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { defectError } from './defect-error.ts';
import { deliverMessage } from './deliver-message.ts';
import { LineCalls } from './line-calls.ts';
import type { LinePipe } from './line-pipe.ts';
import { longestMessage, tooLarge } from './message-limit.ts';
import { refusal } from './refusal.ts';
import { UnreadAnswers } from './unread-answers.ts';
import { refuseUnreadable, unreadableError } from './unreadable-answer.ts';

const momentMs = 100;

/** How many bytes may wait for a server that does not read. */
const maxWaiting = 64 * 1024 * 1024;

/** How many of our answers a server may leave unread. */
const maxUnread = 1000;

const space = 0x20;
const openingBrace = 0x7b;
const openingBracket = 0x5b;

/** Receives what a line transport cannot handle itself. */
interface LineFaults {
  /** A line that is not a message. */
  onGarbage(line: string): void;
  /** Why the connection cannot go on. */
  onFault(reason: HostError): void;
}

/** MCP as lines of JSON over the standard streams of a server. Closing it leaves the server running. */
export class LineTransport implements Transport {
  onclose: Transport['onclose'];
  onerror: Transport['onerror'];
  onmessage: Transport['onmessage'];
  readonly #pipe: LinePipe;
  readonly #server: string;
  readonly #faults: LineFaults;
  readonly #splitter: LineSplitter;
  readonly #fail = (error: unknown) => this.#faults.onFault(defectError(error, this.#server));
  readonly #takeChunk = catchFaults((chunk: Buffer) => this.#splitter.push(chunk), this.#fail);
  /** For requests that do not go through the SDK. */
  readonly calls = new LineCalls({
    send: (message) => this.send(message),
    sendTogether: (message) => this.#handedOver(this.#writer.writeTogether(lineOf(message))),
  });
  readonly #writer: LineWriter;
  readonly #unread: UnreadAnswers;
  #isOpen = false;

  constructor(pipe: LinePipe, server: string, faults: LineFaults) {
    this.#pipe = pipe;
    this.#writer = new LineWriter(pipe.input, { maxWaiting });
    this.#server = server;
    this.#faults = faults;
    this.#unread = new UnreadAnswers(server, maxUnread, this.#fail);
    this.#splitter = new LineSplitter(longestMessage, {
      line: (line) => this.#takeLine(line),
      tooLong: (line) => this.#refuseLong(line),
    });
  }

  async start(): Promise<void> {
    this.#isOpen = true;
    this.#pipe.output.on('data', this.#takeChunk);
    void this.#pipe.ended.then(catchFaults(() => this.close(), this.#fail));
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const writing = this.#handedOver(this.#writer.write(lineOf(message)));
    return 'method' in message ? writing : this.#unread.add(writing);
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
    const text = looksLikeJson(line) ? line.toString('utf8') : '';
    const messages = parseMessages(text);
    if (messages === undefined) {
      this.#refuse(line, unreadableError(this.#server, text));
    }
    for (const message of messages ?? []) this.#deliver(message);
  }

  /** Fails the call that an unreadable line belongs to, so that it does not wait forever. */
  #refuse(line: Buffer, error: HostError): void {
    const start = line.toString('utf8', 0, 1024);
    const refused = refuseUnreadable(start, line.subarray(-1024).toString(), error);
    if (refused === undefined) this.#faults.onGarbage(start);
    else this.#deliver(refused);
  }

  #refuseLong({ id, hasMethod, head, bytes }: LongLine): void {
    if (id === undefined || hasMethod) this.#faults.onGarbage(head.toString());
    else this.#deliver(refusal(id, tooLarge(this.#server, bytes)));
  }

  #deliver(message: JSONRPCMessage): void {
    if (!this.calls.take(message)) deliverMessage(this, message, this.#fail);
  }

  /** A pipe breaks shortly before the server's exit is known, and the exit explains more. */
  async #isGone(cause: UnwrittenLine): Promise<HostError> {
    const ended = await within(this.#pipe.ended, momentMs);
    const isFull = cause.cause instanceof FullPipe;
    const what = isFull ? 'does not read what it is sent' : 'takes no more input';
    const message = ended?.message ?? `Server "${this.#server}" ${what}.`;
    const facts = { server: this.#server, lastOutput: this.#pipe.lastOutput(), ...ended?.facts };
    return new HostError(
      'server_unavailable',
      message,
      { ...facts, neverSent: cause.neverSent },
      { cause, advice: [{ kind: 'test-server', server: this.#server }] },
    );
  }
}

function lineOf(message: JSONRPCMessage): string {
  return `${JSON.stringify(message)}\n`;
}

/** Most lines that are not messages are log text; detect them without a failed parse. */
function looksLikeJson(line: Buffer): boolean {
  const first = line.find((byte) => byte > space);
  return first === openingBrace || first === openingBracket;
}
