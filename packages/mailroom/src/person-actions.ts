import {
  approvalKeys,
  digestOf,
  draftFacts,
  newDraftId,
  outgoingOf,
  sendingKeys,
} from './draft-note.ts';
import { findDraft, findNote } from './find-note.ts';
import type { MailItem } from './mail-board.ts';
import { itemIn, mailDetails } from './mail-details.ts';
import type { MailMethods } from './mail-methods.ts';
import type { Mailroom } from './mailroom.ts';
import { MailroomError } from './mailroom-error.ts';
import { kindOf, type MailNote, textOf } from './note-head.ts';
import { hasExpired, isRejected, itemOf } from './note-item.ts';
import { settleUnclear } from './settle-unclear.ts';

type Params<Method extends keyof MailMethods> = MailMethods[Method]['params'];
type Result<Method extends keyof MailMethods> = MailMethods[Method]['result'];

/** What a person does with a note. It moves or edits the note; what follows is the mailroom's. */
export class PersonActions {
  readonly #room: Mailroom;

  constructor(room: Mailroom) {
    this.#room = room;
  }

  /** Moves a draft to Approved: what was seen of it is what leaves. */
  approve(
    { id, seen, evenExpired = false }: Params<'approve'>,
    session: string,
  ): Promise<Result<'approve'>> {
    const { notes, clock } = this.#room.ports;
    return this.#withDraft(id, async (note) => {
      if (note.folder === 'Approved') return { item: itemIn(note) };
      if (note.folder !== 'Drafts' || isRejected(note)) throw wrongState(note, 'approved');
      // Taken out of Approved by hand: what was approved before may have left, which the next round finds out.
      if (isUnconfirmed(note)) throw wrongState(note, 'approved');
      if (digestOf(note) !== seen) throw changed();
      const [mistake] = outgoingOf(note).mistakes;
      if (mistake !== undefined) {
        throw new MailroomError(
          'incomplete',
          `The draft cannot be sent: "${mistake.field}" is ${mistake.code}.`,
        );
      }
      if (!evenExpired) await this.#refuseExpired(note, session);
      const set = {
        approved_hash: seen,
        approved_at: new Date(clock.now()).toISOString(),
        // One that a person made has none before.
        ...(textOf(note, 'draft_id') === undefined && { draft_id: newDraftId() }),
      };
      const remove = ['approval', 'asked_again_at', ...sendingKeys];
      // With the version that was read: what was typed meanwhile is not approved.
      await notes.update(note.path, { set, remove, etag: note.etag }, session);
      const path = await notes.move(note.path, 'Approved', session);
      return this.#after(path, 'draft-approved');
    });
  }

  /** A draft that has waited too long, also while no program ran, asks for a second word. */
  async #refuseExpired(note: MailNote, session: string): Promise<void> {
    const { notes, clock, emit, settings } = this.#room.ports;
    const expireMs = (settings()?.expireHours ?? Number.POSITIVE_INFINITY) * 3_600_000;
    if (!hasExpired(note, { now: clock.now(), expireMs })) return;
    if (textOf(note, 'approval') === undefined) {
      // Whoever shows it then knows that it asks twice.
      const set = { approval: 'expired' };
      await notes.update(note.path, { set, etag: note.etag }, session);
      emit({ kind: 'board-changed' });
    }
    throw expired();
  }

  /** Moves a note to Done; a draft is never sent. */
  reject({ id, reason }: Params<'reject'>, session: string): Promise<Result<'reject'>> {
    return this.#withNote(id, (note) => this.#reject(note, reason, session));
  }

  async #reject(
    note: MailNote,
    reason: string | undefined,
    session: string,
  ): Promise<Result<'reject'>> {
    const { notes, clock, log } = this.#room.ports;
    if (note.folder === 'Done') throw wrongState(note, 'rejected');
    if (textOf(note, 'sent_message_id') !== undefined) throw wrongState(note, 'rejected');
    const at = new Date(clock.now()).toISOString();
    const isDraft = kindOf(note) === 'draft';
    // It may have left, or leave at this moment: the round that finds it in Done asks the mail server first.
    const isTried =
      textOf(note, 'approved_hash') !== undefined && textOf(note, 'send_state') !== 'unclear';
    const isRefused = isDraft && !isTried;
    const set = {
      status: 'done',
      ...(isRefused && { decision: 'rejected' }),
      decided_by: 'person',
      decided_at: at,
      ...(reason !== undefined && { reason }),
    };
    await notes.update(note.path, { set, remove: ['next_try_at'] }, session);
    const path = await notes.move(note.path, 'Done', session);
    if (isRefused) {
      const said = reason === undefined ? {} : { message: reason };
      await log.write('decisions', { event: 'draft_rejected', ...draftFacts(note), ...said });
    }
    return this.#after(path, isRefused ? 'draft-rejected' : undefined);
  }

  /** Changes a draft that is not being sent. */
  edit({ id, ...change }: Params<'edit'>, session: string): Promise<Result<'edit'>> {
    return this.#withDraft(id, (note) => this.#edit(note, change, session));
  }

  async #edit(
    note: MailNote,
    { seen, body, ...fields }: Omit<Params<'edit'>, 'id'>,
    session: string,
  ): Promise<Result<'edit'>> {
    const { notes, emit, clock } = this.#room.ports;
    if (note.folder === 'Done') throw wrongState(note, 'changed');
    if (isUnconfirmed(note)) throw wrongState(note, 'changed');
    if (digestOf(note) !== seen) throw changed();
    const given = Object.entries(fields).filter(([, value]) => value !== undefined);
    // A draft that a person works on has not been left to wait.
    const set = {
      ...Object.fromEntries(given.filter(([, value]) => value !== '')),
      edited_at: new Date(clock.now()).toISOString(),
    };
    const emptied = given.filter(([, value]) => value === '').map(([key]) => key);
    const remove = [...emptied, ...approvalKeys, ...sendingKeys];
    // Out of Approved first: nothing is sent half edited.
    const path =
      note.folder === 'Approved' ? await notes.move(note.path, 'Drafts', session) : note.path;
    const change = {
      set,
      remove,
      etag: note.etag,
      ...(body !== undefined && { body: `${body.trimEnd()}\n` }),
    };
    await notes.update(path, change, session);
    emit({ kind: 'board-changed' });
    return mailDetails(await findNote(path, notes), notes);
  }

  /** Decides about a mail again, or sends an approved draft now. */
  retry({ id, note: added }: Params<'retry'>, session: string): Promise<Result<'retry'>> {
    return this.#withNote(id, (note) => this.#retry(note, added, session));
  }

  async #retry(
    note: MailNote,
    added: string | undefined,
    session: string,
  ): Promise<Result<'retry'>> {
    const { notes } = this.#room.ports;
    if (kindOf(note) === 'mail') {
      if (note.folder !== 'Needs_Action') throw wrongState(note, 'decided again');
      await this.#room.decideAgain(note, added);
      return this.#after(note.path);
    }
    if (note.folder !== 'Approved' || textOf(note, 'send_state') === 'unclear')
      throw wrongState(note, 'tried again');
    await notes.update(
      note.path,
      {
        set: {},
        remove: [
          'next_try_at',
          'first_attempt_at',
          ...(textOf(note, 'send_state') === 'stuck' ? ['send_state'] : []),
        ],
      },
      session,
    );
    return this.#after(note.path);
  }

  /** Takes in what a person found out about a draft that is unclear. */
  settle({ id, outcome }: Params<'settle'>, session: string): Promise<Result<'settle'>> {
    return this.#withDraft(id, (note) => this.#settle(note, outcome, session));
  }

  async #settle(
    note: MailNote,
    outcome: Params<'settle'>['outcome'],
    session: string,
  ): Promise<Result<'settle'>> {
    if (note.folder !== 'Approved' || textOf(note, 'send_state') !== 'unclear')
      throw wrongState(note, 'settled');
    const path = await settleUnclear(note, outcome, session, this.#room.ports);
    return this.#after(path, outcome === 'was-sent' ? 'mail-sent' : undefined);
  }

  async #withNote<Done>(id: string, act: (note: MailNote) => Promise<Done>): Promise<Done> {
    return this.#follow(await findNote(id, this.#room.ports.notes), act);
  }

  async #withDraft<Done>(id: string, act: (note: MailNote) => Promise<Done>): Promise<Done> {
    return this.#follow(await findDraft(id, this.#room.ports.notes), act);
  }

  /** A round or a job may move the note at any moment: what was asked for is judged anew where the note is then. */
  async #follow<Done>(found: MailNote, act: (note: MailNote) => Promise<Done>): Promise<Done> {
    const done = await this.#room.ports.notes.follow(found, act);
    if (done !== undefined) return done;
    throw new MailroomError('not_found', `${found.path} is gone.`);
  }

  async #after(
    path: string,
    event?: 'draft-approved' | 'draft-rejected' | 'mail-sent',
  ): Promise<{ readonly item: MailItem }> {
    const note = await findNote(path, this.#room.ports.notes);
    const item = itemIn(note);
    if (event !== undefined) this.#room.ports.emit({ kind: event, item });
    this.#room.ports.emit({ kind: 'board-changed' });
    this.#room.wake();
    return { item };
  }
}

function expired(): MailroomError {
  return new MailroomError(
    'expired',
    'The draft has waited too long and its approval has expired. Nothing was approved: read it again, then say once more that it may leave.',
  );
}

function changed(): MailroomError {
  return new MailroomError(
    'changed',
    'The draft is another than the one that was shown. Look at it again.',
  );
}

/** Whether nobody knows yet how an attempt to send it ended. */
function isUnconfirmed(note: MailNote): boolean {
  return ['pending', 'unclear'].includes(textOf(note, 'send_state') ?? '');
}

function wrongState(note: MailNote, what: string): MailroomError {
  const state = itemOf(note)?.state ?? 'unknown';
  return new MailroomError(
    'wrong_state',
    `${note.path} cannot be ${what} (it is in ${note.folder}, ${state}).`,
  );
}
