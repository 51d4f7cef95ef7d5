import { digestOf, draftFacts } from './draft-note.ts';
import type { SentMail } from './mailbox.ts';
import { countOf, type MailNote, textOf, timeOf } from './note-head.ts';
import { nextTry } from './retry-schedule.ts';
import type { Attempt, Outcome, SendFlowPorts } from './send-flow.ts';
import { withdrawApproval } from './withdraw-approval.ts';

type Failure = Extract<Outcome, { kind: 'retry' | 'stuck' | 'unclear' }>;

/** Writes into the note what became of an attempt to send it; answers with whether there is one. */
export async function fileAttempt(
  { path, draftId, digest }: Attempt,
  outcome: Outcome,
  session: string,
  ports: SendFlowPorts,
): Promise<boolean> {
  const { notes, log } = ports;
  if (outcome.kind === 'left') return true;
  // The very note that was sent, unless it was moved meanwhile: a person may have made a copy of it.
  const there = await notes.read(path);
  const isThere = there !== undefined && textOf(there, 'draft_id') === draftId;
  const note = isThere ? there : await notes.locate(draftId, 'draft');
  // Deleted or broken while it was sent: the log and the ledger of the mail server know of it.
  const facts = { ...(note && draftFacts(note)), draft_id: draftId };
  if (outcome.kind === 'sent') {
    const { messageId: sent_message_id, sentAt: sent_at } = outcome.sent;
    await log.write('decisions', { event: 'email_sent', ...facts, sent_message_id, sent_at });
  }
  await notes.follow(note, async (found) => {
    if (found.problem !== undefined) return;
    if (outcome.kind === 'sent') return fileSent(found, outcome.sent, digest, session, ports);
    if (found.folder !== 'Approved') return;
    // An attempt whose end is not known may have sent the text that was approved.
    if (outcome.kind === 'changed') return withdrawApproval(found, session, ports);
    if (outcome.kind === 'no-login')
      return notes.update(found.path, { set: { last_error: outcome.error } }, session);
    return fileFailure(found, outcome, session, ports);
  });
  const isFiled = note !== undefined;
  if (outcome.kind !== 'retry' && outcome.kind !== 'stuck' && outcome.kind !== 'unclear')
    return isFiled;
  const attempt = note === undefined ? undefined : countOf(note, 'send_attempts') + 1;
  await log.write('decisions', {
    event: 'email_send_failed',
    severity: 'ERROR',
    ...facts,
    attempt,
    message: outcome.error,
  });
  return isFiled;
}

async function fileSent(
  note: MailNote,
  { messageId, sentAt, threadId }: SentMail,
  digest: string,
  session: string,
  { notes, tell }: SendFlowPorts,
): Promise<void> {
  const set = {
    status: 'done',
    sent_at: sentAt,
    sent_message_id: messageId,
    thread_id: threadId,
    ...(digestOf(note) !== digest && { changed_after_sending: true }),
  };
  // A person may have said no while it left.
  const remove = ['next_try_at', 'last_error', 'send_state', 'approval', 'decision'];
  await notes.update(note.path, { set, remove }, session);
  await tell('mail-sent', await notes.move(note.path, 'Done', session));
}

async function fileFailure(
  note: MailNote,
  failure: Failure,
  session: string,
  { notes, clock, notifier, tell }: SendFlowPorts,
): Promise<void> {
  const now = clock.now();
  const attempts = countOf(note, 'send_attempts') + 1;
  const since = timeOf(note, 'first_attempt_at') ?? now;
  const tried = {
    send_attempts: attempts,
    first_attempt_at: new Date(since).toISOString(),
    last_error: failure.error,
  };
  const isPending = failure.kind === 'retry' && failure.isPending;
  const next =
    failure.kind === 'retry'
      ? nextTry(attempts, { now, since, waitMs: failure.waitMs })
      : undefined;
  if (next !== undefined) {
    const state = isPending ? { send_state: 'pending' } : {};
    const set = { ...tried, ...state, next_try_at: new Date(next).toISOString() };
    await notes.update(note.path, { set, ...(!isPending && { remove: ['send_state'] }) }, session);
  } else {
    const send_state = failure.kind === 'unclear' || isPending ? 'unclear' : 'stuck';
    await notes.update(
      note.path,
      { set: { ...tried, send_state }, remove: ['next_try_at'] },
      session,
    );
    const message = `A mail to ${textOf(note, 'to') ?? 'somebody'} was not sent: ${failure.error}`;
    notifier.notify({ level: 'error', message });
  }
  await tell('mail-failed', note.path);
}
