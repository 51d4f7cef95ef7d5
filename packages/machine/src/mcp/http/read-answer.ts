import { HostError } from '@errand/host';
import { sleep } from '../sleep.ts';
import { afterGracePeriod } from './discard-body.ts';
import type { HttpResponse } from './http-client.ts';
import type { EndOfStream, MessageSource } from './message-stream.ts';
import { nextStreamWait, responseStream } from './stream-backoff.ts';

/** How often the rest of a broken stream is asked for in a row. */
const maxResumptions = 3;

/** Reads an answer that comes as a stream, asks for the rest when it breaks, and resolves with why it ended. */
export async function readAnswer(
  source: MessageSource,
  first: HttpResponse,
  isAnswered: () => boolean,
  signal: AbortSignal,
): Promise<unknown> {
  let answer = first;
  let lastEventId: string | undefined;
  let wait: number | undefined;
  for (let resumptions = 0; ; resumptions += 1) {
    const started = performance.now();
    const end = await readUntilAnswered(source, answer, isAnswered);
    lastEventId = end.lastEventId ?? lastEventId;
    // Only a server that numbers its events can tell the rest.
    const isOver = lastEventId === undefined || end.error instanceof HostError;
    const reason = end.error ?? end.unreadable;
    if (isAnswered() || signal.aborted || isOver) return reason;
    if (end.lastEventId !== undefined) resumptions = 0;
    if (resumptions === maxResumptions) return reason;
    try {
      const livedMs = performance.now() - started;
      wait = nextStreamWait(wait, { ...end, livedMs }, responseStream);
      await sleep(wait, signal);
      answer = await source.listen(lastEventId, signal);
    } catch (error) {
      return error;
    }
  }
}

/** A stream that stays open behind the answer would hold its socket for ever. */
async function readUntilAnswered(
  source: MessageSource,
  answer: HttpResponse,
  isAnswered: () => boolean,
): Promise<EndOfStream> {
  let stopWaiting: (() => void) | undefined;
  try {
    return await source.read(answer, () => {
      if (isAnswered()) stopWaiting ??= afterGracePeriod(() => answer.body.destroy());
    });
  } finally {
    stopWaiting?.();
  }
}
