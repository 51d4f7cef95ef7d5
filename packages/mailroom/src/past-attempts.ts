import type { JobEngine } from '@errand/jobs';
import { isRecord } from '@errand/wire';
import type { MailNotes } from './mail-notes.ts';
import type { SendStatus } from './mailbox.ts';
import { type MailNote, textOf } from './note-head.ts';
import { type Attempt, readAttempt } from './send-flow.ts';

/** An attempt to send, as its job remembers it. */
export interface PastAttempt extends Attempt {
  readonly isRunning: boolean;
  /** Whether what became of it stands in no note. */
  readonly isUnfiled: boolean;
}

/** The attempts that jobs remember, the newest first. */
export async function pastAttempts(jobs: JobEngine | undefined): Promise<readonly PastAttempt[]> {
  const known = (await jobs?.list({ flow: 'mail-send', limit: 10_000 })) ?? [];
  return known.map(({ input, state, result }) => ({
    ...readAttempt(input),
    isRunning: state === 'queued' || state === 'running',
    isUnfiled: isRecord(result) && result.isFiled === false,
  }));
}

/**
 * The attempt that was about a draft whose id is another now, or missing: of the same text, or of a draft without an id at
 * the same path. The latest attempt under an id counts, as long as no note has that id.
 */
export async function lostAttempt(
  note: MailNote,
  digest: string,
  attempts: readonly PastAttempt[],
  notes: Pick<MailNotes, 'locate'>,
): Promise<PastAttempt | undefined> {
  const known = textOf(note, 'draft_id');
  // The mail server knows what became of this text under this id.
  if (attempts.some((each) => each.draftId === known && each.digest === digest)) return undefined;
  const seen = new Set<string>();
  for (const attempt of attempts) {
    if (seen.has(attempt.draftId)) continue;
    seen.add(attempt.draftId);
    const isAlike =
      attempt.digest === digest || (known === undefined && attempt.path === note.path);
    if (attempt.draftId === known || !isAlike) continue;
    if (!attempt.isRunning && !attempt.isUnfiled) continue;
    if ((await notes.locate(attempt.draftId, 'draft')) === undefined) return attempt;
  }
  return undefined;
}

/**
 * The note with the approval that it had when another text of it was tried and may have left. An editor that was opened
 * before the approval saves the note without it.
 */
export async function unforgotten(
  note: MailNote,
  { draftId, digest }: Pick<Attempt, 'draftId' | 'digest'>,
  attempts: readonly PastAttempt[],
  statusOf: (note: MailNote) => Promise<SendStatus>,
): Promise<MailNote | undefined> {
  const own = attempts.filter((attempt) => attempt.draftId === draftId);
  for (const approved_hash of new Set(own.map((attempt) => attempt.digest))) {
    if (approved_hash === digest) continue;
    const before = { ...note, values: { ...note.values, approved_hash } };
    if ((await statusOf(before)).kind !== 'not-sent') return before;
  }
  return undefined;
}
