import type { HostError } from '@errand/host';
import { parseMessages } from '@errand/wire';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { longestMessage, tooLarge } from '../message-limit.ts';
import { refuseUnreadable, unreadableError } from '../unreadable-answer.ts';
import type { HttpResponse } from './http-client.ts';
import { readEvents } from './read-events.ts';

type Writable<Record> = { -readonly [Key in keyof Record]: Record[Key] };

/** How a stream of messages ended, and what the server said about asking for the rest. */
export interface EndOfStream {
  /** How many messages came on it. */
  readonly messages: number;
  readonly lastEventId?: string;
  /** How long the server asks to wait before reconnecting, in milliseconds. */
  readonly retry?: number;
  /** What came in place of a message. */
  readonly unreadable?: HostError;
  /** Why it broke off; nothing when the server ended it. */
  readonly error?: unknown;
}

interface FoundMessages {
  readonly messages: readonly JSONRPCMessage[];
  readonly reason?: HostError;
}

/** Where the streams of a server come from. */
export interface MessageSource {
  /** Asks for a stream, or for the rest of one. */
  listen(lastEventId: string | undefined, signal: AbortSignal): Promise<HttpResponse>;
  /** Hands on the messages of a stream until it ends, and tells after each event. */
  read(answer: HttpResponse, onEvent?: () => void): Promise<EndOfStream>;
}

/** Hands on every message of an event stream until it ends, however it ends. */
export async function readMessageStream(
  server: string,
  { body }: HttpResponse,
  onMessage: (message: JSONRPCMessage) => void,
): Promise<EndOfStream> {
  const seen: Writable<EndOfStream> = { messages: 0 };
  try {
    await readEvents(body, longestMessage, {
      onRetry: (milliseconds) => {
        seen.retry = milliseconds;
      },
      onEvent: ({ id, data }) => {
        if (isEventId(id)) seen.lastEventId = id;
        const { messages, reason } = messagesIn(server, data);
        if (reason !== undefined) seen.unreadable = reason;
        seen.messages += messages.length;
        for (const message of messages) onMessage(message);
      },
      onOversized: ({ bytes }) => {
        throw tooLarge(server, bytes);
      },
    });
    return seen;
  } catch (error) {
    return { ...seen, error };
  }
}

/** The messages in the data of an event; of one that cannot be read, why, and the refusal for whoever waits for it. */
export function messagesIn(server: string, data: string): FoundMessages {
  // Servers send events without data to give the next one an id.
  const messages = data.trim() === '' ? [] : parseMessages(data);
  if (messages !== undefined) return { messages };
  const reason = unreadableError(server, data);
  const refused = refuseUnreadable(data, data, reason);
  return { messages: refused === undefined ? [] : [refused], reason };
}

/** Whether an id can be sent back in a header. */
function isEventId(id: string | undefined): id is string {
  return id !== undefined && /^[\x20-\x7e]{1,1024}$/.test(id);
}
