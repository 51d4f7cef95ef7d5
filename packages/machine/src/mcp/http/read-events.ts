import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { createParser, type EventSourceMessage, type EventSourceParser } from 'eventsource-parser';

interface EventListener {
  onEvent(event: EventSourceMessage): void;
  /** How long the server asks to wait before reconnecting, in milliseconds. */
  onRetry?(milliseconds: number): void;
  /**
   * Told of an event over the limit as soon as it is, and once more at its end unless it says that it knows
   * enough. When it throws, reading ends; otherwise the rest of the event is skipped.
   */
  onOversized(event: OversizedEvent): boolean;
}

/** The two ends of an event that is too large to be kept. */
interface OversizedEvent {
  readonly head: string;
  /** Empty while the event goes on. */
  readonly tail: string;
  readonly bytes: number;
}

/** How much of the two ends of an oversized event is kept. */
const keptCharacters = 1024;

/** What a line takes in memory beside its bytes: lines without any would otherwise not count. */
const lineCost = 64;

/** Reads server-sent events until the stream ends; rejects when it breaks. */
export async function readEvents(
  body: Readable,
  limit: number,
  listener: EventListener,
): Promise<void> {
  const events = new EventReader(limit, listener);
  for await (const chunk of body as AsyncIterable<Buffer>) events.push(chunk);
}

/** Parses server-sent events, and keeps no more of one than the limit, in bytes, allows. */
class EventReader {
  readonly #limit: number;
  readonly #listener: EventListener;
  readonly #parser: EventSourceParser;
  readonly #decoder = new StringDecoder('utf8');
  #carriageReturn = '';
  #isAtLineStart = true;
  #size = 0;
  #head = '';
  /** The end of an event that is skipped. */
  #tail: string | undefined;
  #isKnown = false;

  constructor(limit: number, listener: EventListener) {
    this.#limit = limit;
    this.#listener = listener;
    this.#parser = createParser({
      onEvent: (event) => listener.onEvent(event),
      onRetry: (milliseconds) => listener.onRetry?.(milliseconds),
    });
  }

  push(chunk: Buffer): void {
    const text = this.#lines(this.#decoder.write(chunk));
    let event = 0;
    let fed = 0;
    let line = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', line)) {
      const isBlank = end === line && (line > 0 || this.#isAtLineStart);
      line = end + 1;
      this.#size += lineCost;
      if (!isBlank) continue;
      if (this.#tail !== undefined) {
        this.#finish(this.#tail + text.slice(event, end));
        fed = line;
      }
      event = line;
      this.#size = 0;
      this.#head = '';
    }
    this.#size += event === 0 ? chunk.length : text.length - event;
    if (text !== '') this.#isAtLineStart = text.endsWith('\n');
    if (this.#tail === undefined) this.#parser.feed(text.slice(fed));
    this.#keepEnds(text.slice(event));
  }

  /** The text with one kind of line end. The parser takes quadratic time for a mixture. */
  #lines(decoded: string): string {
    const text = this.#carriageReturn + decoded;
    const isOpen = text.endsWith('\r');
    this.#carriageReturn = isOpen ? '\r' : '';
    const whole = isOpen ? text.slice(0, -1) : text;
    return whole.includes('\r') ? whole.replace(/\r\n?/g, '\n') : whole;
  }

  #keepEnds(part: string): void {
    if (this.#head.length < keptCharacters) {
      this.#head += part.slice(0, keptCharacters - this.#head.length);
    }
    if (this.#tail === undefined && this.#size > this.#limit) {
      this.#parser.reset();
      this.#tail = '';
      this.#isKnown = this.#report('');
    }
    if (this.#tail !== undefined) this.#tail = (this.#tail + part).slice(-keptCharacters);
  }

  #finish(tail: string): void {
    if (!this.#isKnown) this.#report(dataOf(tail.slice(-keptCharacters)));
    this.#tail = undefined;
  }

  #report(tail: string): boolean {
    return this.#listener.onOversized({ head: dataOf(this.#head), tail, bytes: this.#size });
  }
}

/** The data in a piece of an event. */
function dataOf(piece: string): string {
  const lines = piece.split('\n').filter((line) => !/^(?:event|id|retry)?:/.test(line));
  return lines.map((line) => line.replace(/^data: ?/, '')).join('\n');
}
