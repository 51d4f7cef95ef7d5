import type { MailItem, MailState } from './mail-board.ts';
import { answeredId, countOf, kindOf, type NoteHead, textOf, timeOf } from './note-head.ts';

/** A note as the board shows it; nothing when it has nothing to do with mail. */
export function itemOf(note: NoteHead): MailItem | undefined {
  const kind = kindOf(note);
  if (kind === undefined) return undefined;
  const id = textOf(note, kind === 'mail' ? 'message_id' : 'draft_id') ?? note.path;
  const related = kind === 'mail' ? textOf(note, 'draft_id') : answeredId(note);
  const sentId = kind === 'draft' ? textOf(note, 'sent_message_id') : undefined;
  const attempts = countOf(note, 'send_attempts');
  const lastError = textOf(note, 'last_error');
  const nextTryAt = textOf(note, 'next_try_at');
  const question = textOf(note, 'info_needed', 'delegation_target');
  const date = textOf(note, 'date_received', 'drafted_at');
  return {
    id,
    kind,
    path: note.path,
    folder: note.folder,
    state: stateOf(note, kind),
    isUrgent: textOf(note, 'priority') === 'urgent',
    who: textOf(note, kind === 'mail' ? 'from' : 'to') ?? '',
    subject: textOf(note, 'subject') ?? '',
    ...(date !== undefined && { date }),
    ...(related !== undefined && { relatedId: related }),
    // A person who confirms that it left knows no id.
    ...(sentId !== undefined && !sentId.includes(' ') && { sentId }),
    ...(attempts > 0 && { attempts }),
    ...(lastError !== undefined && { lastError }),
    ...(nextTryAt !== undefined && { nextTryAt }),
    ...(question !== undefined && { question }),
    ...(textOf(note, 'delivery') === 'failed' && { hasBounced: true }),
    ...(note.problem !== undefined && { problem: note.problem }),
  };
}

/** What is the matter with a note: its folder says it, its keys say more. */
export function stateOf(note: NoteHead, kind: 'mail' | 'draft'): MailState {
  if (note.problem !== undefined) return 'unreadable';
  return kind === 'mail' ? mailState(note) : draftState(note);
}

function mailState(note: NoteHead): MailState {
  const decision = textOf(note, 'decision');
  if (note.folder === 'Done') return decision === 'archive' ? 'archived' : 'done';
  if (note.folder !== 'Needs_Action') return 'misplaced';
  switch (textOf(note, 'status')) {
    case 'failed':
      return 'failed';
    case 'needs_info':
    case 'done':
      return 'needs-info';
    case 'pending_approval':
      return 'delegated';
    default:
      if (decision === undefined) return 'new';
      return textOf(note, 'draft_id', 'draft_path') === undefined ? 'needs-info' : 'answered';
  }
}

function draftState(note: NoteHead): MailState {
  if (textOf(note, 'sent_message_id') !== undefined) return 'sent';
  if (isRejected(note)) return 'rejected';
  if (note.folder === 'Needs_Action') return 'misplaced';
  if (note.folder === 'Done') return 'rejected';
  if (note.folder === 'Drafts') {
    const approval = textOf(note, 'approval');
    return approval === 'expired' || approval === 'changed' ? approval : 'waiting';
  }
  const sending = textOf(note, 'send_state');
  if (sending === 'unclear' || sending === 'stuck') return sending;
  return textOf(note, 'next_try_at') === undefined ? 'approved' : 'retrying';
}

/** Whether a person said no, by a button or by writing it into the note. */
export function isRejected(note: NoteHead): boolean {
  return textOf(note, 'decision') === 'rejected' || textOf(note, 'status') === 'rejected';
}

/** How long a draft has waited for a person, in milliseconds; one that a person made without a date has not. */
export function waitedMs(note: Pick<NoteHead, 'values'>, now: number): number {
  return now - (timeOf(note, 'edited_at') ?? timeOf(note, 'drafted_at') ?? now);
}

/** Whether a draft has waited too long, also when no round has seen it since and written so. */
export function hasExpired(
  note: Pick<NoteHead, 'values'>,
  { now, expireMs }: { readonly now: number; readonly expireMs: number },
): boolean {
  const approval = textOf(note, 'approval');
  // One that was changed after its approval asks for another one as it is.
  return approval === 'expired' || (approval === undefined && waitedMs(note, now) >= expireMs);
}
