import { digestOf, draftFacts } from './draft-note.ts';
import type { MailMethods } from './mail-methods.ts';
import type { MailroomPorts } from './mailroom-ports.ts';
import { countOf, type MailNote, textOf } from './note-head.ts';

/** Takes in what a person found out about a draft that is unclear; answers with its path. */
export async function settleUnclear(
  note: MailNote,
  outcome: MailMethods['settle']['params']['outcome'],
  session: string,
  ports: Pick<MailroomPorts, 'notes' | 'clock' | 'log'>,
): Promise<string> {
  if (outcome === 'send') return allowAgain(note, session, ports);
  await confirmSent(note, session, ports);
  return note.path;
}

const gone = ['send_state', 'next_try_at', 'first_attempt_at'];

async function confirmSent(
  note: MailNote,
  session: string,
  { notes, clock, log }: Pick<MailroomPorts, 'notes' | 'clock' | 'log'>,
): Promise<void> {
  const message = 'confirmed by a person';
  const sent_at = new Date(clock.now()).toISOString();
  const set = { status: 'done', sent_message_id: message, sent_at };
  await notes.update(note.path, { set, remove: gone }, session);
  await log.write('decisions', { event: 'email_sent', ...draftFacts(note), sent_at, message });
}

async function allowAgain(
  note: MailNote,
  session: string,
  { notes }: Pick<MailroomPorts, 'notes'>,
): Promise<string> {
  const { path, etag } = note;
  // Another key: the mail server would refuse the old one for ever.
  const send_round = countOf(note, 'send_round') + 1;
  const approved_hash = digestOf(note);
  if (approved_hash === (textOf(note, 'approved_hash') ?? approved_hash)) {
    await notes.update(path, { set: { send_round, approved_hash }, remove: gone, etag }, session);
    return path;
  }
  // Whoever says that it did not leave has not approved what was typed since. Out of Approved first.
  const draft = await notes.move(path, 'Drafts', session);
  const set = { send_round, approval: 'changed' };
  const remove = [...gone, 'approved_hash', 'approved_at', 'last_error'];
  await notes.update(draft, { set, remove, etag }, session);
  return draft;
}
