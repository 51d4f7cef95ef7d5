import { ServiceError } from '@errand/server-kit';
import type { GmailApi } from '../api/gmail-api.ts';
import { toMcpError } from '../api/gmail-error.ts';
import type { MessageReader } from '../mime/message-reader.ts';
import type { MailMessage } from '../mime/parse-message.ts';
import type { Ledger, SendRecord } from './ledger.ts';
import { markOf } from './outgoing.ts';

/** Where what became of a mail is looked up. */
interface Lookup {
  readonly api: GmailApi;
  readonly reader: MessageReader;
  readonly ledger: Ledger;
}

/** How many of the latest drafts are searched for one whose id was lost, and for one that others may have begun. */
const searchedDrafts = { lost: 50, begun: 10 };

/** What became of the draft of a record. */
export async function lookAtDraft(
  options: Lookup,
  { draftId = '' }: SendRecord,
  approved: MailMessage,
): Promise<'same' | 'other' | 'gone'> {
  const draft = await readIfThere(options, () => options.api.getDraft(draftId, undefined));
  if (draft === undefined) return 'gone';
  return isSame(draft, approved) ? 'same' : 'other';
}

/** The draft of a mail whose id was lost, or that another machine has begun under the same key. */
export async function findOrphan(
  options: Lookup,
  record: SendRecord,
  approved: MailMessage,
): Promise<{ readonly draftId: string; readonly message: MailMessage } | undefined> {
  const { api, ledger } = options;
  const isLost = record.state === 'drafting';
  const query = isLost
    ? { maxResults: searchedDrafts.lost }
    : // A search may not know yet what happened this moment, but it spares most drafts.
      { maxResults: searchedDrafts.begun, q: `to:${approved.recipients[0]}` };
  const { drafts = [] } = (await ifThere(api.listDrafts(query, undefined))) ?? {};
  for (const { id } of drafts) {
    if (!id || (await ledger.isTaken(record, id))) continue;
    const message = await readIfThere(options, () => api.getDraft(id, undefined));
    if (message === undefined || !isSame(message, approved)) continue;
    // Gmail may drop the header that names the key; what has that of another mail is not ours.
    const mark = message.errandKey;
    if (mark === undefined || mark === markOf(record.key)) return { draftId: id, message };
  }
  return undefined;
}

/** Gmail's clock and ours may differ by so much. */
const clockDifference = 10 * 60_000;

/** How many sent mails to the same recipient are searched. */
const searchedMails = 20;

/** The mail that was sent from a draft that is gone; in its thread, if that is known. */
export async function findCopy(
  options: Lookup,
  record: SendRecord,
  approved: MailMessage,
): Promise<MailMessage | undefined> {
  const { api, ledger } = options;
  for (const id of await candidates(api, record, approved)) {
    if (await ledger.isTaken(record, id)) continue;
    const message = await readIfThere(options, () => api.getMessage(id, undefined));
    if (message === undefined || !isCopy(message, approved)) continue;
    const isLater = message.receivedAt >= record.createdAt - clockDifference;
    if (isLater && message.labelIds.includes('SENT')) return message;
  }
  return undefined;
}

async function candidates(
  api: GmailApi,
  { threadId, createdAt }: SendRecord,
  { recipients }: MailMessage,
): Promise<readonly string[]> {
  if (threadId === undefined) {
    const query = { q: `in:sent to:${recipients[0]}`, maxResults: searchedMails };
    const { messages = [] } = (await ifThere(api.listMessages(query, undefined))) ?? {};
    return messages.flatMap(({ id }) => id ?? []);
  }
  const { messages = [] } = (await ifThere(api.getThread(threadId, undefined))) ?? {};
  return messages
    .filter(({ internalDate }) => Number(internalDate) >= createdAt - clockDifference)
    .flatMap(({ id, labelIds }) => (id && labelIds?.includes('SENT') ? id : []));
}

function isSame(draft: MailMessage, approved: MailMessage): boolean {
  return isCopy(draft, approved) && draft.recipients.length === approved.recipients.length;
}

/** Sent mails need not show who got a hidden copy. */
function isCopy(mail: MailMessage, { subject, contentHash, recipients }: MailMessage): boolean {
  return (
    mail.subject === subject &&
    mail.contentHash === contentHash &&
    mail.recipients.every((address) => recipients.includes(address))
  );
}

async function readIfThere(
  { reader }: Lookup,
  load: () => Promise<Uint8Array>,
): Promise<MailMessage | undefined> {
  return (await ifThere(reader.read(load)))?.message;
}

async function ifThere<T>(asking: Promise<T>): Promise<T | undefined> {
  try {
    return await asking;
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'not_found') return undefined;
    throw toMcpError(error, 'mail');
  }
}
