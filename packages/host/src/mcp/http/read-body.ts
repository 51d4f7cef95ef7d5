import type { Readable } from 'node:stream';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import type { HostError } from '../../host-error.ts';

/** The whole of a body as text; more than the limit rejects with the given error. */
export async function readText(
  body: Readable,
  limit: number,
  tooLarge: (bytes: number) => HostError,
) {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of body as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > limit) throw tooLarge(bytes);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

export interface EventStreamOptions {
  readonly limit: number;
  readonly tooLarge: (bytes: number) => HostError;
  readonly onEvent: (event: EventSourceMessage) => void;
  /** The server's wish how long to wait, in milliseconds, before asking again. */
  readonly onRetry: (milliseconds: number) => void;
}

const newline = 0x0a;

/** Reads server-sent events until the stream ends; rejects when it breaks or a line is over the limit. */
export async function readEvents(body: Readable, options: EventStreamOptions): Promise<void> {
  const parser = createParser({ onEvent: options.onEvent, onRetry: options.onRetry });
  // The parser joins the pieces of a line anew for each one, so it is given whole lines.
  let pieces: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    const end = chunk.lastIndexOf(newline) + 1;
    if (end > 0) {
      parser.feed(Buffer.concat([...pieces, chunk.subarray(0, end)]).toString('utf8'));
      pieces = [];
      bytes = 0;
    }
    if (end < chunk.length) pieces.push(chunk.subarray(end));
    bytes += chunk.length - end;
    if (bytes > options.limit) throw options.tooLarge(bytes);
  }
}
