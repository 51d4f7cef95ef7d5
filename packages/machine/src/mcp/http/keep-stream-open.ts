import { HostError } from '@errand/host';
import { SdkHttpError } from '@modelcontextprotocol/client';
import { sleep } from '../sleep.ts';
import type { EndOfStream, MessageSource } from './message-stream.ts';
import { nextStreamWait, notificationStream } from './stream-backoff.ts';

/** Keeps the notification stream (GET) of a server of the older era open, until the signal fires. */
export async function keepStreamOpen(
  source: MessageSource,
  onStreamLost: () => void,
  signal: AbortSignal,
): Promise<void> {
  let lastEventId: string | undefined;
  let wait: number | undefined;
  while (!signal.aborted) {
    const started = performance.now();
    let end: EndOfStream = { messages: 0 };
    let asked = 0;
    try {
      end = await source.read(await source.listen(lastEventId, signal));
      lastEventId = end.lastEventId ?? lastEventId;
      if (end.error !== undefined && !signal.aborted) onStreamLost();
    } catch (error) {
      if (isRefusedForGood(error)) return;
      if (!signal.aborted) onStreamLost();
      // The session is gone and its stream with it; the next session opens its own.
      if (isUnknownSession(error)) return;
      if (error instanceof HostError) asked = error.facts.retryAfter ?? 0;
    }
    const livedMs = performance.now() - started;
    wait = nextStreamWait(wait, { ...end, livedMs }, notificationStream);
    await sleep(Math.max(wait, asked), signal).catch(() => undefined);
  }
}

/** Most servers send no notifications and refuse with 405 or similar. */
function isRefusedForGood(error: unknown): boolean {
  return error instanceof SdkHttpError && error.status < 500 && error.status !== 404;
}

function isUnknownSession(error: unknown): boolean {
  return error instanceof SdkHttpError && error.status === 404;
}
