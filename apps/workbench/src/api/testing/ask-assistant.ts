import type { z } from 'zod';
import type { Conversation, TurnEnd } from '../../contract.ts';
import type { askSchema } from '../assistant/conversations.ts';
import type { EventFollower, TestClient } from './test-client.ts';

export const free = { note: null, isKept: false } as const;

type Ask = z.input<typeof askSchema>;

/** The body of a question to the first assistant. */
export function askBody(question: string, place: Partial<Ask> = free): Ask {
  return { ...free, line: null, assistant: null, question, ...place };
}

export function ask(
  page: TestClient,
  question: string,
  place: Partial<Ask> = free,
): Promise<{ readonly conversation: string; readonly turn: string }> {
  return page.send('POST', '/assistant/ask', askBody(question, place));
}

export async function ended(events: EventFollower, turn: string): Promise<TurnEnd | null> {
  const isEnd = (event: { readonly turn: string; readonly change: { readonly end: unknown } }) =>
    event.turn === turn && event.change.end !== null;
  const { change } = await events.until('turn-changed', isEnd);
  return change.end;
}

export function statusOf(part: Conversation['turns'][number]['parts'][number]): string | undefined {
  return part.kind === 'call' ? part.call.status : undefined;
}
