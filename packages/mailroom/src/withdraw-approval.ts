import { digestOf, draftFacts, idempotencyKey, newDraftId, sendingKeys } from './draft-note.ts';
import type { SendStatus, SentMail } from './mailbox.ts';
import { type MailNote, textOf } from './note-head.ts';
import type { SendFlowPorts } from './send-flow.ts';

/**
 * A draft that is not what was approved, or that a person took out of Approved. What was approved may have left all the
 * same, so the mail server is asked before anything else may be approved.
 */
export async function withdrawApproval(
  note: MailNote,
  session: string,
  ports: SendFlowPorts,
  why: keyof typeof reasons = 'changed',
): Promise<void> {
  const { notes } = ports;
  const status = await sendStatus(note, session, ports);
  if (status.kind === 'not-sent') {
    if (note.folder === 'Approved') await askAgain(note, session, ports, why);
    else await notes.update(note.path, { set: {}, remove: approvedKeys, etag: note.etag }, session);
  } else if (status.kind === 'sent') {
    if (isOtherMail(note, status.sent, ports)) await askAnew(note, session, ports);
    else await recordSent(note, status.sent, session, ports);
  } else {
    const last_error = 'It was changed while an attempt to send it was not confirmed.';
    const set = { send_state: 'unclear', last_error };
    // Where a person is asked about it. Before it says so: from Done it would count as answered.
    const path = await notes.move(note.path, 'Approved', session);
    await notes.update(path, { set, remove: ['next_try_at', 'decision'] }, session);
  }
}

/** What became of the text that was approved last. */
export async function sendStatus(
  note: MailNote,
  session: string,
  { mailbox }: Pick<SendFlowPorts, 'mailbox'>,
): Promise<SendStatus> {
  const draftId = textOf(note, 'draft_id');
  const approved = textOf(note, 'approved_hash');
  if (!draftId || !approved) return { kind: 'not-sent' };
  return mailbox.status(idempotencyKey(note, draftId, approved), { session });
}

/** Whether a draft is a copy, with a text of its own, of one that says itself that it was sent. */
export function isOtherMail(
  note: MailNote,
  { messageId }: SentMail,
  { notes }: Pick<SendFlowPorts, 'notes'>,
): boolean {
  if (digestOf(note) === textOf(note, 'approved_hash')) return false;
  return notes.heads.some(
    (each) => each.path !== note.path && textOf(each, 'sent_message_id') === messageId,
  );
}

/** A draft whose id belongs to another mail: under its own id it waits for a person. */
async function askAnew(
  note: MailNote,
  session: string,
  ports: Omit<SendFlowPorts, 'tell'>,
): Promise<void> {
  const path = await askAgain(note, session, ports, 'changed');
  await ports.notes.update(path, { set: { draft_id: newDraftId() } }, session);
}

/** Writes into a draft and into the log that it has left; the next round files it. */
export async function recordSent(
  note: MailNote,
  { messageId, sentAt, threadId }: SentMail,
  session: string,
  { notes, log, tell }: Pick<SendFlowPorts, 'notes' | 'log' | 'tell'>,
): Promise<void> {
  const isChanged = digestOf(note) !== textOf(note, 'approved_hash');
  const set = {
    status: 'done',
    sent_message_id: messageId,
    sent_at: sentAt,
    ...(threadId !== '' && { thread_id: threadId }),
    ...(isChanged && { changed_after_sending: true }),
  };
  await notes.update(note.path, { set, remove: [...sendingKeys, 'decision'] }, session);
  const left = { sent_message_id: messageId, sent_at: sentAt };
  await log.write('decisions', { event: 'email_sent', ...draftFacts(note), ...left });
  await tell('mail-sent', note.path);
}

const reasons = {
  changed: 'was changed after it was approved',
  foreign: 'lay in Approved before mail was first taken here',
} as const;

const approvedKeys = ['approved_hash', 'approved_at', ...sendingKeys];

/** Back to Drafts: what is there now is not what a person said yes to. */
async function askAgain(
  note: MailNote,
  session: string,
  { notes, notifier, log }: Pick<SendFlowPorts, 'notes' | 'notifier' | 'log'>,
  why: keyof typeof reasons,
): Promise<string> {
  // Out of Approved first: without the digest it would be taken for approved there, and sent.
  const path = await notes.move(note.path, 'Drafts', session);
  const set = why === 'changed' ? { approval: why } : {};
  await notes.update(path, { set, remove: approvedKeys }, session);
  const event = { event: 'approval_withdrawn', severity: 'WARNING' };
  await log.write('decisions', { ...event, ...draftFacts(note) });
  const subject = textOf(note, 'subject') ?? note.path;
  notifier.notify({
    level: 'warning',
    message: `The draft "${subject}" ${reasons[why]}, and waits for another approval.`,
  });
  return path;
}
