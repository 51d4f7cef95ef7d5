import { createHash, randomUUID } from 'node:crypto';
import { neutralize } from '@errand/document/display';
import type { FrontmatterValues } from '@errand/document/frontmatter';
import type { DraftMistake, OutgoingMail, WrittenDraft } from './mail-board.ts';
import { answeredId, countOf, type MailNote, textOf } from './note-head.ts';

/** A draft that a person approved, as the requirement names it. */
export interface ApprovedDraft {
  /** Its path in the vault. */
  readonly filepath: string;
  readonly to: string;
  readonly subject: string;
  readonly body: string;
  readonly reply_to_message_id: string | null;
}

interface NewDraft {
  readonly id: string;
  readonly messageId: string;
  readonly to: string;
  readonly subject: string;
  readonly by: string;
  readonly isUrgent: boolean;
}

/** An id for a draft that a person made by hand. */
export function newDraftId(): string {
  return `h${randomUUID().replaceAll('-', '').slice(0, 15)}`;
}

/** The frontmatter of a reply that waits for a person. */
export function draftValues(draft: NewDraft, now: number): FrontmatterValues {
  return {
    type: 'draft_reply',
    status: 'pending_approval',
    draft_id: draft.id,
    source_message_id: draft.messageId,
    reply_to_message_id: draft.messageId,
    to: draft.to,
    subject: replySubject(draft.subject),
    drafted_by: draft.by,
    drafted_at: new Date(now).toISOString(),
    priority: draft.isUrgent ? 'urgent' : 'normal',
  };
}

/** Keys that tell of attempts to send; they go when a draft is another or is approved anew. */
export const sendingKeys = [
  'next_try_at',
  'send_attempts',
  'first_attempt_at',
  'last_error',
  'send_state',
];

/** Keys of an approval; they go when the draft is another. */
export const approvalKeys = ['approved_hash', 'approved_at', 'approval', 'asked_again_at'];

/** What a model wrote, so that it loads and runs nothing where a person reads it; it is sent as it stands in the note. */
export function draftBody(reply: string): string {
  return `${neutralize(reply.replace(/\r\n?/g, '\n').trim())}\n`;
}

/** What the logs say of a draft: which it is, what it answers and to whom it goes. */
export function draftFacts(note: Pick<MailNote, 'values'>): Readonly<Record<string, unknown>> {
  const [draft_id, subject, to] = ['draft_id', 'subject', 'to'].map((key) => textOf(note, key));
  return { draft_id, subject, message_id: answeredId(note), to };
}

function replySubject(subject: string): string {
  return /^\s*(?:re|aw|sv|antw|rép?)\s*:/i.test(subject) ? subject : `Re: ${subject}`;
}

/** Exactly what would leave, or why it cannot. */
export function outgoingOf(note: MailNote): {
  readonly leaves?: OutgoingMail;
  readonly mistakes: readonly DraftMistake[];
} {
  const { problem, body: whole } = note;
  if (problem !== undefined)
    return { mistakes: [{ field: 'frontmatter', code: 'invalid', text: problem }] };
  const [to, cc, bcc] = ['to', 'cc', 'bcc'].map((key) => textOf(note, key));
  const subject = textOf(note, 'subject');
  // A program that writes line ends in another way has not written another mail.
  const body = whole
    .replace(/\r\n?/g, '\n')
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd();
  const replyTo = answeredId(note);
  const mistakes = mistakesIn(writtenIn(note), note);
  if (mistakes.length > 0 || to === undefined || subject === undefined) return { mistakes };
  const copies = { ...(cc !== undefined && { cc }), ...(bcc !== undefined && { bcc }) };
  const reply = replyTo !== undefined && { replyToMessageId: replyTo };
  return { leaves: { to, ...copies, subject, body, ...reply }, mistakes };
}

/** What stands in a draft, as it was typed; what is no text there is shown as JSON. */
export function writtenIn(note: MailNote): WrittenDraft {
  const field = (key: 'to' | 'cc' | 'bcc' | 'subject') => {
    const value = note.values[key];
    const isEmpty = value === undefined || value === null || value === '';
    const text = textOf(note, key) ?? (isEmpty ? undefined : jsonOf(value));
    return text === undefined ? {} : { [key]: text };
  };
  return {
    ...field('to'),
    ...field('cc'),
    ...field('bcc'),
    ...field('subject'),
    body: note.body,
    ...(note.frontmatter !== undefined && { frontmatter: note.frontmatter }),
  };
}

function jsonOf(value: unknown): string {
  return JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? String(each) : each));
}

function mistakesIn(written: WrittenDraft, note: MailNote): readonly DraftMistake[] {
  const mistakes: DraftMistake[] = [];
  for (const field of ['to', 'cc', 'bcc'] as const) {
    const list = written[field];
    // A map or a list of something else is no address, whatever it says as JSON.
    const wrong = textOf(note, field) === undefined ? list : list && wrongAddress(list);
    if (list === undefined && field === 'to') mistakes.push({ field, code: 'missing' });
    else if (wrong !== undefined) mistakes.push({ field, code: 'invalid', text: wrong });
  }
  const { subject } = written;
  if (subject === undefined) mistakes.push({ field: 'subject', code: 'missing' });
  else if (textOf(note, 'subject') === undefined || /[\p{Cc}]/u.test(subject))
    mistakes.push({ field: 'subject', code: 'invalid', text: subject });
  if (note.body.trim() === '') mistakes.push({ field: 'body', code: 'missing' });
  return mistakes;
}

/** A draft in Approved as it would be sent; nothing when it cannot be. Copies are not in the requirement's names. */
export function approvedDraft(
  note: MailNote,
): (ApprovedDraft & Pick<OutgoingMail, 'cc' | 'bcc'>) | undefined {
  const { leaves } = outgoingOf(note);
  if (leaves === undefined) return undefined;
  const { replyToMessageId: reply_to_message_id = null, ...mail } = leaves;
  return { filepath: note.path, ...mail, reply_to_message_id };
}

/** Names all that would leave: two drafts with the same digest are the same mail. Broken drafts have one, too. */
export function digestOf(note: MailNote): string {
  const keys = ['to', 'cc', 'bcc', 'subject'].map((key) => textOf(note, key) ?? null);
  const { leaves } = outgoingOf(note);
  const text = JSON.stringify([keys, leaves?.body ?? note.body, answeredId(note) ?? null]);
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/** The same draft with the same text is the same mail; a person who says "send it" after an unclear end starts anew. */
export function idempotencyKey(note: MailNote, draftId: string, digest: string): string {
  const round = countOf(note, 'send_round');
  // Both stand in the note, where anybody can write anything.
  const safe = (text: string, most: number) => text.replace(/[^!-~]/g, '_').slice(0, most);
  return `${safe(draftId, 100)}.${safe(digest, 16)}${round > 0 ? `.${round}` : ''}`;
}

/** What is no address in `ada@example.org`, `Ada <ada@example.org>`, or several with commas. */
function wrongAddress(list: string): string | undefined {
  const each = list.match(/(?:[^,"]|"(?:[^"\\]|\\.)*")+/g) ?? [];
  return each.length === 0 ? list : each.find((one) => addressIn(one) === undefined)?.trim();
}

/** The bare address of a sender or recipient, in lower case. */
export function addressIn(text: string): string | undefined {
  if (/[\p{Cc}]/u.test(text)) return undefined;
  const [, angled] = /<([^<>]*)>\s*$/.exec(text) ?? [];
  const address = (angled ?? text).trim().toLowerCase();
  return /^[^\s@<>",;]+@[^\s@<>",;.]+(?:\.[^\s@<>",;.]+)*$/.test(address) ? address : undefined;
}
