import { SdkHttpError } from '@modelcontextprotocol/client';
import { sleep } from '../sleep.ts';
import type { MessageSource } from './message-stream.ts';

const firstWaitMs = 1000;
const longestWaitMs = 60_000;

/** Keeps the stream open on which a server of the older era speaks unasked, until the signal fires. */
export async function standBy(
  source: MessageSource,
  onStreamLost: () => void,
  signal: AbortSignal,
): Promise<void> {
  let lastEventId: string | undefined;
  let wait = firstWaitMs;
  while (!signal.aborted) {
    const started = performance.now();
    try {
      const end = await source.read(await source.listen(lastEventId, signal));
      lastEventId = end.lastEventId ?? lastEventId;
      wait = end.retry ?? wait;
      if (end.error !== undefined && !signal.aborted) onStreamLost();
    } catch (error) {
      if (hasNoSuchStream(error)) return;
      if (!signal.aborted) onStreamLost();
    }
    // A server that ends every stream at once is not asked again and again.
    const livedLong = performance.now() - started > longestWaitMs;
    await sleep(wait, signal).catch(() => undefined);
    wait = livedLong ? firstWaitMs : Math.min(wait * 2, longestWaitMs);
  }
}

/** Most servers have nothing to say unasked, and refuse with 405 or the like; 404 is a lost session. */
function hasNoSuchStream(error: unknown): boolean {
  return error instanceof SdkHttpError && error.status < 500 && error.status !== 404;
}
