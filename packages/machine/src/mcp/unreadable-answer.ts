import { HostError } from '@errand/host';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { guessMessageId } from './guess-message-id.ts';
import { excessOf } from './message-limit.ts';
import { refusal } from './refusal.ts';

/** How many characters at either end of an answer are searched for its id. */
const searched = 1024;

/** The failure for a server's text that contains no readable message. */
export function unreadableError(server: string, text: string): HostError {
  return (
    excessOf(server, text) ??
    new HostError(
      'tool_failed',
      `Server "${server}" answered with something that is not JSON. This is a bug in the server; report it to its authors.`,
      { server },
    )
  );
}

/** An error response for the request that an unreadable answer belongs to, so that it does not wait forever. */
export function refuseUnreadable(
  head: string,
  tail: string,
  reason: HostError,
): JSONRPCMessage | undefined {
  const id = guessMessageId(head.slice(0, searched), tail.slice(-searched));
  return id === undefined ? undefined : refusal(id, reason);
}
