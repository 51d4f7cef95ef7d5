import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { longestMessage, tooLarge } from '../message-limit.ts';
import { parseMessages } from '../parse-messages.ts';
import type { HttpAnswer } from './http-line.ts';
import { readEvents } from './read-body.ts';

/** How a stream of messages ended, and what the server said about asking for the rest. */
export interface EndOfStream {
  readonly lastEventId?: string;
  /** The server's wish how long to wait before asking again, in milliseconds. */
  readonly retry?: number;
  /** Why it broke off; nothing when the server ended it. */
  readonly error?: unknown;
}

/** Where the streams of a server come from. */
export interface MessageSource {
  /** Asks for a stream, or for the rest of one. */
  listen(lastEventId: string | undefined, signal: AbortSignal): Promise<HttpAnswer>;
  /** Hands on the messages of a stream until it ends. */
  read(answer: HttpAnswer): Promise<EndOfStream>;
}

/** Hands on every message of an event stream until it ends, however it ends. */
export async function readMessageStream(
  server: string,
  { body }: HttpAnswer,
  onMessage: (message: JSONRPCMessage) => void,
): Promise<EndOfStream> {
  const seen: { lastEventId?: string; retry?: number } = {};
  try {
    await readEvents(body, {
      limit: longestMessage,
      tooLarge: (bytes) => tooLarge(server, bytes),
      onRetry: (milliseconds) => {
        seen.retry = milliseconds;
      },
      onEvent: ({ id, data }) => {
        if (id !== undefined && id !== '') seen.lastEventId = id;
        for (const message of parseMessages(data) ?? []) onMessage(message);
      },
    });
    return seen;
  } catch (error) {
    return { ...seen, error };
  }
}
