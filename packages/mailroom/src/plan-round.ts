import { answeredId, kindOf, type NoteHead, textOf, timeOf } from './note-head.ts';
import { hasExpired, isRejected, stateOf, waitedMs } from './note-item.ts';

/** What follows from where notes lie and what they say. */
export type RoundAction =
  /** A mail without a decision. */
  | { readonly kind: 'decide'; readonly note: NoteHead }
  /** An approved draft whose time has come. */
  | { readonly kind: 'send'; readonly note: NoteHead }
  /** An approved draft that cannot be sent as it was: a person may have corrected it. */
  | { readonly kind: 'recheck'; readonly note: NoteHead }
  /** A draft that was sent and is not filed yet. */
  | { readonly kind: 'file-sent'; readonly note: NoteHead }
  /** A person said no, or put it into Done unsent. */
  | { readonly kind: 'reject'; readonly note: NoteHead }
  /** An approved draft that a person took back. */
  | { readonly kind: 'take-back'; readonly note: NoteHead }
  /** A mail whose reply was sent. */
  | { readonly kind: 'finish-mail'; readonly note: NoteHead }
  /** A mail that a person put into Done. */
  | { readonly kind: 'close-mail'; readonly note: NoteHead }
  /** A mail whose draft was rejected or is gone: a person has to say what now. */
  | {
      readonly kind: 'reopen-mail';
      readonly note: NoteHead;
      readonly draft: 'rejected' | 'deleted';
    }
  | { readonly kind: 'remind'; readonly note: NoteHead }
  | { readonly kind: 'expire'; readonly note: NoteHead }
  /** A draft that had expired when it was put into Approved: that was the first word, and another is asked for. */
  | { readonly kind: 'ask-again'; readonly note: NoteHead }
  | { readonly kind: 'unreadable'; readonly note: NoteHead };

interface Times {
  readonly now: number;
  readonly remindMs: number;
  readonly expireMs: number;
}

/** So long a draft with an approval may lie in Drafts: somebody approves it at this moment. */
const approvingMs = 60_000;

/** No service asks to be left alone for longer. */
const longestWaitMs = 48 * 3_600_000;

/** Decides what to do from the folders alone: whoever moved or edited a note, by a button or by hand, it is the same. */
export function planRound(notes: readonly NoteHead[], times: Times): readonly RoundAction[] {
  const drafts = notes.filter((note) => kindOf(note) === 'draft');
  const byId = new Map(drafts.map((note) => [textOf(note, 'draft_id') ?? note.path, note]));
  const answers = new Map<string, NoteHead[]>();
  for (const note of drafts) {
    const mail = answeredId(note);
    if (mail !== undefined) answers.set(mail, [...(answers.get(mail) ?? []), note]);
  }
  const decided = decidedOnce(notes);
  // A draft that cannot be read may be the one that seems to be missing.
  const hasUnreadable = drafts.some(({ problem }) => problem !== undefined);
  return notes.flatMap((note): readonly RoundAction[] => {
    if (note.folder === 'Done' && note.problem !== undefined) return [];
    if (note.problem !== undefined) return [{ kind: 'unreadable', note }];
    switch (kindOf(note)) {
      case 'draft':
        return forDraft(note, times);
      case 'mail':
        return forMail(note, {
          drafts: byId,
          answers: answers.get(textOf(note, 'message_id') ?? '') ?? [],
          hasUnreadable,
          isDouble: decided.get(textOf(note, 'message_id') ?? '') !== note,
        });
      default:
        return [];
    }
  });
}

/**
 * The note that an undecided mail is decided about in, by its Gmail id: a person or a program that syncs may have copied
 * it. One that is decided about counts before one that is not.
 */
function decidedOnce(notes: readonly NoteHead[]): ReadonlyMap<string, NoteHead> {
  const undecided = new Map<string, NoteHead>();
  for (const note of notes) {
    const id =
      isUndecided(note) && kindOf(note) === 'mail' ? textOf(note, 'message_id') : undefined;
    if (id !== undefined && !undecided.has(id)) undecided.set(id, note);
  }
  if (undecided.size === 0) return undecided;
  const chosen = new Map(undecided);
  for (const note of notes) {
    const id = kindOf(note) === 'mail' ? textOf(note, 'message_id') : undefined;
    if (id === undefined || isUndecided(note)) continue;
    if (undecided.has(id) && chosen.get(id) === undecided.get(id)) chosen.set(id, note);
  }
  return chosen;
}

/** Whether nothing has decided about a mail yet. */
export function isUndecided(note: NoteHead): boolean {
  if (note.folder !== 'Needs_Action') return false;
  const status = textOf(note, 'status') ?? 'pending';
  return status === 'pending' && textOf(note, 'decision') === undefined;
}

function forDraft(note: NoteHead, { now, remindMs, expireMs }: Times): readonly RoundAction[] {
  const isSent = textOf(note, 'sent_message_id') !== undefined;
  if (note.folder === 'Done') {
    if (isSent || isRejected(note)) return [];
    return [{ kind: 'reject', note }];
  }
  if (isSent) return [{ kind: 'file-sent', note }];
  if (isRejected(note)) return [{ kind: 'reject', note }];
  if (note.folder === 'Approved') {
    const state = stateOf(note, 'draft');
    if (state === 'unclear') return [];
    if (state === 'stuck') return [{ kind: 'recheck', note }];
    const isUnasked =
      textOf(note, 'approved_hash') === undefined && textOf(note, 'asked_again_at') === undefined;
    if (isUnasked && hasExpired(note, { now, expireMs })) return [{ kind: 'ask-again', note }];
    return isDue(note, now) ? [{ kind: 'send', note }] : [];
  }
  if (note.folder !== 'Drafts') return [];
  if (textOf(note, 'approved_hash') !== undefined) {
    const approvedAt = timeOf(note, 'approved_at') ?? 0;
    return Math.abs(now - approvedAt) < approvingMs ? [] : [{ kind: 'take-back', note }];
  }
  const waited = waitedMs(note, now);
  if (textOf(note, 'approval') === undefined && hasExpired(note, { now, expireMs }))
    return [{ kind: 'expire', note }];
  const isReminded = textOf(note, 'reminded_at') !== undefined;
  return waited >= remindMs && waited < expireMs && !isReminded ? [{ kind: 'remind', note }] : [];
}

/** Whether a draft may be tried now. One that has to wait longer than any wait is from before the clock was set back. */
function isDue(note: NoteHead, now: number): boolean {
  const waitMs = (timeOf(note, 'next_try_at') ?? 0) - now;
  return waitMs <= 0 || waitMs > longestWaitMs;
}

interface Answers {
  readonly drafts: ReadonlyMap<string, NoteHead>;
  /** Drafts that answer the mail. */
  readonly answers: readonly NoteHead[];
  readonly hasUnreadable: boolean;
  /** Whether it is decided about in another note. */
  readonly isDouble: boolean;
}

function forMail(
  note: NoteHead,
  { drafts, answers, hasUnreadable, isDouble }: Answers,
): readonly RoundAction[] {
  const status = textOf(note, 'status') ?? 'pending';
  if (note.folder === 'Done') return status === 'done' ? [] : [{ kind: 'close-mail', note }];
  if (note.folder !== 'Needs_Action') return [];
  if (isUndecided(note)) return isDouble ? [] : [{ kind: 'decide', note }];
  if (answers.some((draft) => textOf(draft, 'sent_message_id') !== undefined)) {
    return status === 'done' ? [] : [{ kind: 'finish-mail', note }];
  }
  const draftId = textOf(note, 'draft_id');
  if (status !== 'pending' || draftId === undefined) return [];
  const draft = drafts.get(draftId);
  if (draft === undefined) {
    return hasUnreadable ? [] : [{ kind: 'reopen-mail', note, draft: 'deleted' }];
  }
  const isOver = isRejected(draft) || draft.folder === 'Done';
  return isOver ? [{ kind: 'reopen-mail', note, draft: 'rejected' }] : [];
}
