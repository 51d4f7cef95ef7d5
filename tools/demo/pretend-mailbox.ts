import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Google, startGoogle } from '@errand/server-kit/testing';

/** A mailbox on this machine, by a double of Gmail. */
export interface PretendMailbox extends AsyncDisposable {
  readonly url: string;
  readonly email: string;
  /** Puts a mail into the inbox. */
  deliver(mail: Mail): Promise<void>;
  /** The mails that were sent, the oldest first. */
  sent(): Promise<readonly Mail[]>;
}

/** A mail as RFC 5322 text. */
export interface Mail {
  /** The name of its file, or its id. */
  readonly name: string;
  readonly text: string;
}

export async function openPretendMailbox(email: string): Promise<PretendMailbox> {
  const google = await startGoogle({ email });
  let count = 0;
  return {
    url: google.url,
    email,
    async deliver({ text }) {
      count += 1;
      const head = `Date: ${new Date().toUTCString()}\nMessage-ID: <${count}@pretend.example>\n`;
      const raw = Buffer.from((head + text).replace(/\r?\n/g, '\r\n')).toString('base64url');
      await google.ask('POST', 'messages', { raw, labelIds: ['INBOX', 'UNREAD'] });
    },
    sent: () => sentMails(google),
    [Symbol.asyncDispose]: () => google[Symbol.asyncDispose](),
  };
}

/** The mails of a folder, by the names of their files. */
export function readMails(folder: string): readonly Mail[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.eml'))
    .sort()
    .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));
}

async function sentMails(google: Google): Promise<readonly Mail[]> {
  const list = (await google.ask('GET', 'messages?q=in:sent&maxResults=500')) as MessageList;
  const ids = (list.messages ?? []).map(({ id }) => id).reverse();
  return Promise.all(
    ids.map(async (id) => {
      const { raw } = (await google.ask('GET', `messages/${id}?format=raw`)) as { raw: string };
      return { name: id, text: Buffer.from(raw, 'base64url').toString() };
    }),
  );
}

interface MessageList {
  readonly messages?: readonly { readonly id: string }[];
}
