import { isRequestId, longestId, type RequestId } from '../json-rpc.ts';

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openingBracket = 0x5b;
const closingBracket = 0x5d;
const openingBrace = 0x7b;
const closingBrace = 0x7d;
const space = 0x20;

/** Bytes that are kept of one member's name or value: the longest id, with every character escaped. */
const keptBytes = 6 * longestId + 2;

/**
 * Finds the `id` of a message that is not parsed because it is too large or nested too deep, so that its sender
 * can be answered. Only the outermost object counts: an `id` among the arguments is not it.
 */
export class IdScanner {
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #isKey = true;
  #isOver = false;
  #kept: number[] = [];
  #key = '';
  #id: RequestId | undefined;
  #hasMethod = false;

  /** The last id of the outermost object. */
  get id(): RequestId | undefined {
    return this.#id;
  }

  /** Whether the message asks something, and answers nothing. */
  get hasMethod(): boolean {
    return this.#hasMethod;
  }

  /** Reads the next bytes of the message. */
  scan(bytes: Buffer): void {
    let nextQuote = -1;
    let nextBackslash = -1;
    for (let at = 0; at < bytes.length && !this.#isOver; at += 1) {
      if (this.#isInString && !this.#isEscaped && !this.#isKeeping) {
        // Each position is searched for once, however many escapes a string has.
        if (nextQuote < at) nextQuote = indexOrEnd(bytes, quote, at);
        if (nextBackslash < at) nextBackslash = indexOrEnd(bytes, backslash, at);
        at = Math.min(nextQuote, nextBackslash);
        if (at === bytes.length) return;
      }
      this.#step(bytes[at] ?? space);
    }
  }

  get #isKeeping(): boolean {
    return this.#depth === 1 && this.#kept.length <= keptBytes;
  }

  #step(byte: number): void {
    if (this.#isInString) {
      this.#keep(byte);
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === backslash) this.#isEscaped = true;
      else if (byte === quote) this.#isInString = false;
      return;
    }
    switch (byte) {
      case quote:
        this.#isInString = true;
        this.#keep(byte);
        // Text that is no object, such as a flood of log output, is not searched.
        this.#isOver = this.#depth === 0;
        break;
      case openingBracket:
      case openingBrace:
        this.#isOver = this.#depth === 0 && byte !== openingBrace;
        this.#depth += 1;
        this.#kept = [];
        break;
      case closingBracket:
      case closingBrace:
        this.#endMember();
        this.#depth -= 1;
        this.#isOver = this.#depth <= 0;
        break;
      case comma:
        this.#endMember();
        break;
      case colon:
        if (this.#depth === 1) this.#endKey();
        break;
      default:
        this.#keep(byte);
        // A byte order mark may come first.
        if (this.#depth === 0) this.#isOver = byte > space && byte < 0x80;
    }
  }

  #keep(byte: number): void {
    if (this.#isKeeping) this.#kept.push(byte);
  }

  #endKey(): void {
    this.#key = this.#text();
    this.#isKey = false;
    this.#kept = [];
    if (this.#key === '"method"') this.#hasMethod = true;
  }

  #endMember(): void {
    if (this.#depth !== 1) return;
    if (!this.#isKey && this.#key === '"id"') this.#id = readId(this.#text());
    this.#isKey = true;
    this.#kept = [];
  }

  #text(): string {
    return Buffer.from(this.#kept).toString('utf8').trim();
  }
}

function indexOrEnd(bytes: Buffer, byte: number, from: number): number {
  const index = bytes.indexOf(byte, from);
  return index === -1 ? bytes.length : index;
}

function readId(text: string): RequestId | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRequestId(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
