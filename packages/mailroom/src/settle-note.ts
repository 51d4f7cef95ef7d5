import { digestOf, draftFacts } from './draft-note.ts';
import { finishMail } from './finish-mail.ts';
import { answeredId, textOf } from './note-head.ts';
import type { RoundAction } from './plan-round.ts';
import type { ActionPorts } from './round-actions.ts';
import { isOtherMail, recordSent, sendStatus, withdrawApproval } from './withdraw-approval.ts';

/** What is written down or moved at once, without a job. */
export type SettledAction = Exclude<RoundAction, { kind: 'decide' | 'send' }>;

/** Files, closes, reminds, expires or reports a note. */
export async function settleNote(
  action: SettledAction,
  session: string,
  ports: ActionPorts,
): Promise<void> {
  const { notes, log, clock, notifier, tell } = ports;
  const { note } = action;
  const at = new Date(clock.now()).toISOString();
  const subject = textOf(note, 'subject');
  const facts = draftFacts(note);
  switch (action.kind) {
    case 'unreadable': {
      const about = { path: note.path, message: note.problem };
      return log.write('decisions', { event: 'read_error', severity: 'ERROR', ...about });
    }
    case 'file-sent': {
      const answers = answeredId(note);
      await notes.move(note.path, 'Done', session);
      if (answers !== undefined) await finishMail(answers, session, ports);
      return;
    }
    case 'recheck': {
      const now = await notes.read(note.path);
      if (now === undefined || digestOf(now) === textOf(now, 'approved_hash')) return;
      return withdrawApproval(now, session, ports);
    }
    case 'take-back': {
      const now = await notes.read(note.path);
      if (now !== undefined) await withdrawApproval(now, session, ports);
      return;
    }
    case 'reject': {
      const now = await notes.read(note.path);
      const status = now && (await sendStatus(now, session, ports));
      if (now !== undefined && status?.kind === 'sent' && !isOtherMail(now, status.sent, ports))
        return recordSent(now, status.sent, session, ports);
      // Nobody has told the person yet that it may have left.
      const isAsked = now === undefined || textOf(now, 'send_state') === 'unclear';
      if (status?.kind === 'unclear' && !isAsked) return withdrawApproval(now, session, ports);
      const set = { status: 'done', decision: 'rejected', decided_by: 'person', decided_at: at };
      await notes.update(note.path, { set, remove: ['next_try_at'] }, session);
      const path = await notes.move(note.path, 'Done', session);
      const message = now && textOf(now, 'reason');
      await log.write('decisions', { event: 'draft_rejected', ...facts, message });
      return tell('draft-rejected', path);
    }
    case 'finish-mail': {
      const path = await notes.move(note.path, 'Done', session);
      const set = { status: 'done', answered_at: at };
      return notes.update(path, { set }, session);
    }
    case 'close-mail':
      return notes.update(note.path, { set: { status: 'done' } }, session);
    case 'reopen-mail': {
      // One that moved from folder to folder while they were looked at was in none of them.
      if (action.draft === 'deleted') await notes.refresh();
      if (
        action.draft === 'deleted' &&
        (await notes.locate(textOf(note, 'draft_id') ?? '', 'draft'))
      )
        return;
      const set = { status: 'needs_info', draft: action.draft };
      return notes.update(note.path, { set }, session);
    }
    case 'remind': {
      await notes.update(note.path, { set: { reminded_at: at } }, session);
      await log.write('decisions', { event: 'draft_reminder', ...facts });
      const to = textOf(note, 'to') ?? 'somebody';
      const message = `A reply to ${to} waits for you: ${subject ?? note.path}`;
      notifier.notify({ level: 'info', message });
      return tell('draft-reminder', note.path);
    }
    case 'ask-again': {
      // Out of Approved first: with the key it would be sent from there.
      const path = await notes.move(note.path, 'Drafts', session);
      await notes.update(path, { set: { approval: 'expired', asked_again_at: at } }, session);
      await log.write('decisions', { event: 'approval_asked_again', ...facts });
      const message = `The draft "${subject ?? note.path}" had waited too long when it was approved. It is in Drafts again: read it, and move it to Approved once more if it may leave.`;
      notifier.notify({ level: 'warning', message });
      return tell('draft-reminder', path);
    }
    case 'expire':
      await notes.update(note.path, { set: { approval: 'expired' } }, session);
      return log.write('decisions', { event: 'approval_expired', severity: 'WARNING', ...facts });
  }
}
