/** Bounds of the reconnect delay of a stream, in milliseconds. */
interface Bounds {
  readonly floor: number;
  readonly ceiling: number;
}

/** For the stream of a server's notifications. */
export const notificationStream: Bounds = { floor: 1000, ceiling: 60_000 };

/** For resuming the response of a pending request. */
export const responseStream: Bounds = { floor: 100, ceiling: 15_000 };

const first = 1000;

/** A stream that lived this long counts as useful. */
const longLifeMs = 30_000;

/** How a stream went. */
interface StreamLife {
  readonly livedMs: number;
  readonly messages: number;
  /** The delay that the server asked for. */
  readonly retry?: number | undefined;
}

/**
 * How long to wait before a stream is asked for again: as the server says, within bounds, and twice as long as
 * the last time when a stream brought nothing and ended at once.
 */
export function nextStreamWait(
  last: number | undefined,
  { livedMs, messages, retry = first }: StreamLife,
  { floor, ceiling }: Bounds,
): number {
  const requested = Math.min(Math.max(retry, floor), ceiling);
  const wasUseful = messages > 0 || livedMs >= longLifeMs;
  if (wasUseful || last === undefined) return requested;
  return Math.min(Math.max(requested, last * 2), ceiling);
}
