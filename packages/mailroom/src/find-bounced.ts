import { type GatedMail, messageIdsIn } from './mail-note.ts';
import { isBounce } from './mail-rules.ts';
import { kindOf, type NoteHead, textOf } from './note-head.ts';

/** Message-IDs of one report that are looked up. */
const mostLookups = 5;

/**
 * The sent draft that a report about a failed delivery belongs to: by its thread, or by the Message-ID of what was sent.
 * An address that it names proves nothing: whoever writes a mail can name any.
 */
export async function findBounced(
  mail: GatedMail,
  notes: () => readonly NoteHead[],
  sentAs: (messageId: string) => Promise<readonly string[]>,
): Promise<string | undefined> {
  if (!isBounce(mail)) return undefined;
  const sent = notes().filter(
    (note) => kindOf(note) === 'draft' && textOf(note, 'sent_message_id') !== undefined,
  );
  const inThread = sent.filter(
    (note) => mail.threadId !== '' && textOf(note, 'thread_id') === mail.threadId,
  );
  const text = `${mail.failedRecipient ?? ''} ${mail.body}`.toLowerCase();
  const isNamed = (note: NoteHead) => text.includes(textOf(note, 'to')?.toLowerCase() ?? '\0');
  const found =
    inThread.findLast(isNamed) ?? inThread.at(-1) ?? (await findByMessageId(mail, sent, sentAs));
  return found && textOf(found, 'draft_id');
}

async function findByMessageId(
  { isAbout = [], body }: GatedMail,
  sent: readonly NoteHead[],
  sentAs: (messageId: string) => Promise<readonly string[]>,
): Promise<NoteHead | undefined> {
  if (sent.length === 0) return undefined;
  // Reports quote the headers of the mail that came back.
  const quoted = [...body.matchAll(/^[> \t]*message-id:.*$/gim)].flatMap(([line]) =>
    messageIdsIn(line),
  );
  for (const id of [...new Set([...isAbout, ...quoted])].slice(0, mostLookups)) {
    const ids = await sentAs(id);
    const found = sent.find((note) => ids.includes(textOf(note, 'sent_message_id') ?? ''));
    if (found !== undefined) return found;
  }
  return undefined;
}
