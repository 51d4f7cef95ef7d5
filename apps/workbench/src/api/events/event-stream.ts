import { catchFaults } from '@errand/host';
import { eventStreamHeaders, formatEvent, keepAliveComment } from '@errand/wire/node';
import type { WorkbenchEvent } from '../../contract.ts';
import type { EventLog, LoggedEvent } from './event-log.ts';

/** A page with more unread bytes is disconnected; it reconnects and gets what it missed. */
const mostWaiting = 2 * 1024 * 1024;
const keepAliveMs = 15_000;

/**
 * All event streams to pages. Disposing it ends them. Not `hono/streaming`: what waits there for a page that does not
 * read has no bound.
 */
export class EventStreams implements Disposable {
  readonly #log: EventLog;
  readonly #open = new Set<() => void>();

  constructor(log: EventLog) {
    this.#log = log;
  }

  /** Server-sent events from a sequence on; without one, from now on. */
  open(after: string | undefined): Response {
    const log = this.#log;
    const utf8 = new TextEncoder();
    let end = () => {};
    const body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          // A stream that cannot be written to is that page's alone; it comes back by itself.
          const send = catchFaults(
            (text: string) => {
              if ((controller.desiredSize ?? 0) <= 0) end();
              else controller.enqueue(utf8.encode(text));
            },
            () => end(),
          );
          const unsubscribe = log.subscribe((event) => send(asMessage(event)));
          const timer = setInterval(() => send(keepAliveComment), keepAliveMs).unref();
          end = () => {
            clearInterval(timer);
            unsubscribe();
            this.#open.delete(end);
            try {
              controller.close();
            } catch {
              // The page has left already.
            }
          };
          this.#open.add(end);
          // Something is sent at once, so that the page knows that it is connected.
          send('retry: 1000\n\n');
          for (const event of missed(log, after)) send(asMessage(event));
        },
        cancel: () => end(),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: mostWaiting }),
    );
    return new Response(body, {
      headers: { ...eventStreamHeaders, 'Cache-Control': 'no-store' },
    });
  }

  [Symbol.dispose](): void {
    for (const end of this.#open) end();
  }
}

function missed(log: EventLog, after: string | undefined): readonly LoggedEvent[] {
  if (after === undefined) return [];
  const reload: WorkbenchEvent = { kind: 'reload' };
  return log.since(after) ?? [{ sequence: log.sequence, text: JSON.stringify(reload) }];
}

function asMessage({ sequence, text }: LoggedEvent): string {
  return formatEvent(text, undefined, sequence);
}
