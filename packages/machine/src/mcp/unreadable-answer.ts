import { HostError } from '@errand/host';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { guessMessageId } from './guess-message-id.ts';
import { excessOf } from './message-limit.ts';
import { refusal } from './refusal.ts';

/** How much of the two ends of an answer is searched for its id. */
const searched = 1024;

/** Why a text from a server, in which no message was found, cannot be taken. */
export function unreadableError(server: string, text: string): HostError {
  return (
    excessOf(server, text) ??
    new HostError(
      'tool_failed',
      `Server "${server}" answered with something that is not JSON. This is a fault of the server; tell the people who make it.`,
      { server },
    )
  );
}

/** The refusal for the request that an unreadable answer belongs to, so that nobody waits for it. */
export function refuseUnreadable(
  head: string,
  tail: string,
  reason: HostError,
): JSONRPCMessage | undefined {
  const id = guessMessageId(head.slice(0, searched), tail.slice(-searched));
  return id === undefined ? undefined : refusal(id, reason);
}
