import { randomUUID } from 'node:crypto';
import type { FlowOptions, JobEngine, Json } from '@errand/jobs';
import { digestOf, newDraftId } from './draft-note.ts';
import type { MailEvent } from './mail-board.ts';
import type { MailIntake } from './mail-intake.ts';
import { jobId, readInput } from './mail-job.ts';
import { MailroomError } from './mailroom-error.ts';
import { countOf, kindOf, type MailNote, type NoteHead, textOf } from './note-head.ts';
import { isRejected, stateOf } from './note-item.ts';
import { lostAttempt, type PastAttempt, pastAttempts, unforgotten } from './past-attempts.ts';
import { isUndecided, type RoundAction } from './plan-round.ts';
import type { AttemptResult, SendFlowPorts } from './send-flow.ts';
import { type SettledAction, settleNote } from './settle-note.ts';
import { sendStatus, withdrawApproval } from './withdraw-approval.ts';

export interface ActionPorts extends Omit<SendFlowPorts, 'tell'> {
  readonly jobs: () => JobEngine | undefined;
  readonly intake: MailIntake;
  readonly tell: (event: ItemEvent, path: string) => Promise<void>;
}

/** Events that are about a note. */
export type ItemEvent = Extract<MailEvent, { item: unknown }>['kind'];

/** Carries out what a round decided. */
export class RoundActions {
  readonly #ports: ActionPorts;
  /** Drafts of which an attempt waits or runs. */
  #sending = new Set<string>();
  /** Attempts before this round, read when the first draft is to be sent. */
  #attempts: Promise<readonly PastAttempt[]> | undefined;
  /** Mails that a job waits for or works on. */
  #deciding = new Set<string>();
  readonly #unreadable = new Set<string>();

  constructor(ports: ActionPorts) {
    this.#ports = ports;
  }

  /** Learns what became of attempts, also of those that other programs make. */
  async refresh(): Promise<void> {
    const jobs = this.#ports.jobs();
    this.#attempts = undefined;
    if (jobs === undefined) return;
    const inputs = async (flow: string) => [
      ...(await jobs.list({ flow, state: 'queued', limit: 10_000 })),
      ...(await jobs.list({ flow, state: 'running', limit: 10_000 })),
    ];
    this.#sending = new Set((await inputs('mail-send')).map(({ input }) => draftIn(input)));
    // First those that wait: what they begin is found among the others.
    const mails = [...(await inputs('mail-later')), ...(await inputs('mail'))];
    this.#deciding = new Set(mails.map(({ input }) => readInput(input).messageId));
  }

  /** Carries one action out; answers with what it counts as. */
  async do(action: RoundAction): Promise<'decided' | 'sent' | undefined> {
    const { note } = action;
    const session = `mail:note:${randomUUID()}`;
    if (action.kind === 'decide') return (await this.#decide(note)) ? 'decided' : undefined;
    if (action.kind === 'send') return (await this.#send(note, session)) ? 'sent' : undefined;
    await this.#settle(action, session);
    return undefined;
  }

  /** Decides about a mail again, with what a person adds. */
  async decideAgain(note: NoteHead, added?: string): Promise<void> {
    const id = textOf(note, 'message_id');
    if (id === undefined) {
      throw new MailroomError('wrong_state', `${note.path} has no message_id.`);
    }
    const retries = countOf(note, 'retries') + 1;
    // In the note as well: the job may begin in another program, which finds it there.
    const said = added === undefined ? {} : { retry_note: added };
    const remove = decisionKeys.filter((key) => !(key in said));
    const change = { set: { status: 'pending', retries, ...said }, remove };
    await this.#ports.notes.update(note.path, change, `mail:again:${randomUUID()}`);
    await this.#ports.intake.start(id, retries, added);
  }

  /** Takes back every approval that is not carried out. */
  async askForAll(): Promise<void> {
    const { notes } = this.#ports;
    await notes.refresh();
    for (const { path } of notes.heads.filter(isApproved)) {
      const note = await notes.read(path);
      const session = `mail:note:${randomUUID()}`;
      if (note !== undefined && isApproved(note))
        await withdrawApproval(note, session, this.#ports, 'foreign');
    }
  }

  /** Two attempts for one draft never run at once, also when one of them is left from an earlier program. */
  guard({ run }: FlowOptions): FlowOptions {
    const running = new Set<string>();
    return {
      run: async (input, context) => {
        const id = draftIn(input);
        if (running.has(id)) return { outcome: 'left', isFiled: true } satisfies AttemptResult;
        running.add(id);
        this.#sending.add(id);
        try {
          return await run(input, context);
        } finally {
          running.delete(id);
          this.#sending.delete(id);
          this.#ports.emit({ kind: 'board-changed' });
        }
      },
    };
  }

  /** A mail without a decision: its job goes on, or another one begins. */
  async #decide(note: NoteHead): Promise<boolean> {
    const id = textOf(note, 'message_id');
    if (id === undefined || this.#deciding.has(id)) return false;
    const retries = countOf(note, 'retries');
    const job = await this.#ports.jobs()?.status(jobId(id, retries));
    if (job?.state === 'queued' || job?.state === 'running') return false;
    // It may have ended since the folders were looked at: what it decided is in the note then.
    const now = await this.#ports.notes.read(note.path);
    if (now === undefined || !isUndecided(now)) return false;
    const added = textOf(now, 'retry_note');
    if (job === undefined) await this.#ports.intake.start(id, retries, added);
    else await this.decideAgain(note, added);
    return true;
  }

  /** Begins an attempt. The text is read here, and once more when it leaves: both must be the same. */
  async #send({ path }: NoteHead, session: string): Promise<boolean> {
    const { notes } = this.#ports;
    const note = await notes.read(path);
    if (note === undefined || note.folder !== 'Approved' || note.problem !== undefined)
      return false;
    const known = textOf(note, 'draft_id');
    if (known !== undefined && this.#sending.has(known)) return false;
    const digest = digestOf(note);
    const approved = textOf(note, 'approved_hash');
    const isTried = countOf(note, 'send_attempts') > 0;
    this.#attempts ??= pastAttempts(this.#ports.jobs());
    const attempts = await this.#attempts;
    const lost = await lostAttempt(note, digest, attempts, notes);
    if (lost !== undefined) return this.#findAgain(note, lost, session);
    // Without the id that it was tried with, nobody can find out whether it has left.
    if (known === undefined && isTried) return this.#loseTrack(note, session);
    if (approved !== undefined && approved !== digest) {
      await withdrawApproval(note, session, this.#ports);
      return false;
    }
    if (known !== undefined && approved === undefined) {
      const before = await unforgotten(note, { draftId: known, digest }, attempts, (each) =>
        sendStatus(each, session, this.#ports),
      );
      if (before !== undefined) {
        await withdrawApproval(before, session, this.#ports);
        return false;
      }
    }
    const draftId = known ?? newDraftId();
    // The id is in the note before anything leaves: with another one it would leave again.
    if (approved === undefined || known === undefined)
      await this.#stamp(note, draftId, digest, session);
    this.#sending.add(draftId);
    try {
      await this.#ports.jobs()?.start('mail-send', { path, digest, draftId }, { key: draftId });
    } catch (error) {
      this.#sending.delete(draftId);
      throw error;
    }
    return true;
  }

  /** An attempt that found no note afterwards was about this one: its id was taken out or changed meanwhile. */
  async #findAgain(note: MailNote, lost: PastAttempt, session: string): Promise<boolean> {
    if (lost.isRunning) return false;
    const set = { draft_id: lost.draftId, approved_hash: lost.digest };
    await this.#ports.notes.update(note.path, { set, etag: note.etag }, session);
    return this.#send(note, session);
  }

  async #loseTrack({ path }: MailNote, session: string): Promise<false> {
    const last_error = 'Its draft_id was taken out after an attempt to send it.';
    const set = { send_state: 'unclear', last_error };
    await this.#ports.notes.update(path, { set, remove: ['next_try_at'] }, session);
    return false;
  }

  /** Writes down what was approved; what is typed later does not have this digest. */
  async #stamp(note: MailNote, draftId: string, digest: string, session: string): Promise<void> {
    const { notes, clock, tell } = this.#ports;
    const at = new Date(clock.now()).toISOString();
    const set = { draft_id: draftId, approved_hash: digest, approved_at: at };
    const remove = ['approval', 'asked_again_at'];
    await notes.update(note.path, { set, remove, etag: note.etag }, session);
    await tell('draft-approved', note.path);
  }

  async #settle(action: SettledAction, session: string): Promise<void> {
    const { note } = action;
    const draftId = textOf(note, 'draft_id');
    // What becomes of a draft that is being sent, its attempt writes down.
    if (kindOf(note) === 'draft' && draftId !== undefined && this.#sending.has(draftId)) return;
    if (action.kind === 'unreadable') {
      const key = `${note.path} ${note.changedAt}`;
      if (this.#unreadable.has(key)) return;
      this.#unreadable.add(key);
    }
    await settleNote(action, session, this.#ports);
  }
}

/** Whether a draft waits to be sent. */
function isApproved(note: NoteHead): boolean {
  if (note.folder !== 'Approved' || note.problem !== undefined) return false;
  if (kindOf(note) !== 'draft' || textOf(note, 'sent_message_id') !== undefined) return false;
  return !isRejected(note) && stateOf(note, 'draft') !== 'unclear';
}

function draftIn(input: Json): string {
  return String((input as { readonly draftId?: unknown } | null)?.draftId);
}

/** Keys of an earlier decision, and of what was said to it. */
const decisionKeys = [
  'retry_note',
  'decision',
  'decision_reason',
  'decision_rules',
  'confidence',
  'info_needed',
  'delegation_target',
  'decided_by',
  'decided_at',
  'iteration_count',
  'last_error',
  'draft_id',
  'draft_path',
  'draft',
];
