import { type FaultProxy, startFaultProxy, startGoogle } from '@errand/server-kit/testing';
import type { gmail_v1 } from '@googleapis/gmail';

/** A double of Gmail behind a proxy that breaks what it is told to break. */
export interface Mailbox extends AsyncDisposable {
  readonly url: string;
  readonly proxy: FaultProxy;
  /** Puts a mail into the inbox. */
  insert(raw: string | Uint8Array): Promise<gmail_v1.Schema$Message>;
  /** Asks Gmail around all faults. */
  ask<T>(method: string, path: string, json?: object): Promise<T>;
  /** The mails with this subject that were sent. */
  sent(subject: string): Promise<readonly gmail_v1.Schema$Message[]>;
}

/** Starts an empty mailbox. */
export async function startMailbox(): Promise<Mailbox> {
  const google = await startGoogle({ email: 'owner@example.org' });
  const proxy = await startFaultProxy(google.url);
  const ask = async <T>(method: string, path: string, json?: object) =>
    (await google.ask(method, path, json)) as T;
  return {
    url: proxy.url,
    proxy,
    ask,
    insert: (raw) =>
      ask('POST', 'messages', {
        raw: Buffer.from(raw).toString('base64url'),
        labelIds: ['INBOX', 'UNREAD'],
      }),
    async sent(subject) {
      const { messages = [] } = await ask<gmail_v1.Schema$ListMessagesResponse>(
        'GET',
        `messages?q=in:sent+subject:${subject.split(' ')[0]}&maxResults=500`,
      );
      const all = await Promise.all(
        messages.map(({ id }) => ask<gmail_v1.Schema$Message>('GET', `messages/${id}`)),
      );
      return all.filter(({ payload }) =>
        payload?.headers?.some(({ name, value }) => name === 'Subject' && value === subject),
      );
    },
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await google[Symbol.asyncDispose]();
    },
  };
}

/** What Google answers when it refuses. */
export function refusal(status: number, reason: string, headers: Record<string, string> = {}) {
  const error = { code: status, message: `refused: ${reason}`, errors: [{ reason }] };
  return { kind: 'answer', status, headers, body: JSON.stringify({ error }) } as const;
}
