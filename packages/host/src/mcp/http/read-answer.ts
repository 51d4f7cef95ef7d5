import { HostError } from '../../host-error.ts';
import { sleep } from '../sleep.ts';
import type { HttpAnswer } from './http-line.ts';
import type { MessageSource } from './message-stream.ts';

/** How often the rest of a broken stream is asked for in a row, and after how long without a wish. */
const mostResumptions = 3;
const waitMs = 1000;

/** Reads an answer that comes as a stream, asks for the rest when it breaks, and resolves with why it ended. */
export async function readAnswer(
  source: MessageSource,
  first: HttpAnswer,
  isAnswered: () => boolean,
  signal: AbortSignal,
): Promise<unknown> {
  let answer = first;
  let lastEventId: string | undefined;
  for (let resumptions = 0; ; resumptions += 1) {
    const end = await source.read(answer);
    lastEventId = end.lastEventId ?? lastEventId;
    // Only a server that numbers its events can tell the rest.
    const isOver = lastEventId === undefined || end.error instanceof HostError;
    if (isAnswered() || signal.aborted || isOver) return end.error;
    if (end.lastEventId !== undefined) resumptions = 0;
    if (resumptions === mostResumptions) return end.error;
    try {
      await sleep(end.retry ?? waitMs, signal);
      answer = await source.listen(lastEventId, signal);
    } catch (error) {
      return error;
    }
  }
}
