import type { FlowContext, FlowOptions, JobEngine } from '@errand/jobs';
import { findBounced } from './find-bounced.ts';
import { labelFlow } from './label-flow.ts';
import { MachineClaim } from './machine-claim.ts';
import type { MailBoard, MailRound, MailroomState } from './mail-board.ts';
import { boardOf, latestDone } from './mail-board-view.ts';
import { type MailFlowPorts, mailFlow } from './mail-flow.ts';
import { MailIntake } from './mail-intake.ts';
import { laterFlow } from './mail-job.ts';
import type { DryDecision } from './mail-methods.ts';
import { MailRounds } from './mail-rounds.ts';
import { MailboxTrouble } from './mailbox-trouble.ts';
import { stopped } from './mailroom-error.ts';
import type { MailroomPorts } from './mailroom-ports.ts';
import type { NoteHead } from './note-head.ts';
import { itemOf } from './note-item.ts';
import { PollTimer } from './poll-timer.ts';
import { type ItemEvent, RoundActions } from './round-actions.ts';
import { type SendFlowPorts, sendFlow } from './send-flow.ts';
import { whenIdle } from './when-idle.ts';

/**
 * The mailroom of a vault: looks at the folders and at the mailbox, and does what follows. Work that must survive a
 * crash is done by jobs; what a round decides, the next one would decide again.
 */
export class Mailroom implements AsyncDisposable {
  /** The flows that its jobs follow, for the engine. */
  readonly flows: Readonly<Record<string, FlowOptions>>;
  readonly ports: MailroomPorts;
  readonly #claim: MachineClaim;
  readonly #trouble: MailboxTrouble;
  readonly #timer: PollTimer;
  readonly #intake: MailIntake;
  readonly #actions: RoundActions;
  readonly #rounds: MailRounds;
  readonly #closing = new AbortController();
  readonly #started = Promise.withResolvers<JobEngine>();
  #jobs: JobEngine | undefined;
  #listening: Disposable | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #lastRound: MailRound | undefined;

  constructor(ports: MailroomPorts) {
    this.ports = ports;
    this.#claim = new MachineClaim(ports);
    this.#trouble = new MailboxTrouble({ ...ports, onFault: (error) => this.#fault(error) });
    this.#timer = new PollTimer(ports, () => this.#poll());
    const tell = (event: ItemEvent, path: string) => this.#tell(event, path);
    const flowPorts: MailFlowPorts & SendFlowPorts = {
      ...ports,
      own: () => this.#rounds.account,
      findBounced: (mail, signal) =>
        findBounced(
          mail,
          () => ports.notes.heads,
          (id) => this.#intake.sentAs(id, signal),
        ),
      onStored: (id) => this.#intake.onStored(id),
      onTrouble: (error) => this.#noteTrouble(error),
      mayNotSend: () => this.#claim.obstacle(),
      tell,
      started: this.#started.promise,
    };
    const jobs = () => (this.#claim.isShown ? undefined : this.#jobs);
    this.#intake = new MailIntake({ ...flowPorts, jobs });
    this.#actions = new RoundActions({ ...flowPorts, jobs, tell, intake: this.#intake });
    this.#rounds = new MailRounds({
      ...ports,
      claim: this.#claim,
      trouble: this.#trouble,
      timer: this.#timer,
      intake: this.#intake,
      actions: this.#actions,
      signal: this.#closing.signal,
    });
    this.flows = {
      mail: mailFlow(flowPorts),
      'mail-labels': labelFlow(flowPorts),
      'mail-later': laterFlow(flowPorts.started),
      'mail-send': this.#actions.guard(sendFlow(flowPorts)),
    };
  }

  /** Begins to work; without a clock it works when it is asked. Jobs of an earlier program go on by themselves. */
  start(jobs: JobEngine, { isTimed = true } = {}): void {
    this.#jobs = jobs;
    this.#started.resolve(jobs);
    this.#listening?.[Symbol.dispose]();
    this.#listening = jobs.onChange((job) => this.#intake.onJob(job));
    if (isTimed) this.#timer.start();
  }

  /** Works by the clock as long as this program has the job: where several share a mailbox, one at a time does. */
  async hold({ waitFor }: Pick<FlowContext, 'waitFor'>): Promise<void> {
    this.#timer.start();
    try {
      await waitFor('stop');
    } finally {
      this.#timer.stop();
    }
  }

  /** The address of the mailbox; rejects when its server cannot be asked. */
  async address(signal: AbortSignal): Promise<string | undefined> {
    await this.#rounds.learnAccount(signal);
    return this.#rounds.account;
  }

  /** Why mail is fetched and sent, or not. */
  async state(): Promise<MailroomState> {
    return (await this.#claim.obstacle()) ?? this.#trouble.state ?? 'running';
  }

  async board(done = 50): Promise<MailBoard> {
    const { notes } = this.ports;
    await notes.refresh();
    const latest = await Promise.all(
      latestDone(notes.heads, done).map(({ path }) => notes.read(path)),
    );
    const [state, stored] = [await this.state(), await this.#claim.read()];
    const { message: problem } = this.#trouble;
    const { nextAt } = this.#timer;
    const { unread } = this.#rounds;
    const shown = latest.filter((note) => note !== undefined);
    return boardOf(notes.heads, shown, {
      state,
      ...(problem !== undefined && { problem }),
      ...(stored?.mailbox !== undefined && { mailbox: stored.mailbox }),
      ...(state === 'elsewhere' && { machine: stored?.machine_name ?? stored?.machine ?? '' }),
      ...(state === 'first-start' && unread),
      ...(nextAt !== undefined && { nextRoundAt: new Date(nextAt).toISOString() }),
      ...(this.#lastRound !== undefined && { lastRound: this.#lastRound }),
    });
  }

  /** Fetches, decides, sends and files, after whatever runs already. */
  run(): Promise<MailRound> {
    return this.#inTurn(true);
  }

  /** Does what follows from the folders, without asking for new mail. */
  settle(): Promise<MailRound> {
    return this.#inTurn(false);
  }

  /** Something was done by a person: what follows happens soon. */
  wake(): void {
    if (this.#jobs === undefined) return;
    void this.settle().catch((error) => this.#fault(error));
  }

  /** Resolves when no job of mail waits or runs any more. */
  async idle(signal: AbortSignal): Promise<void> {
    if (this.#jobs === undefined) return;
    await whenIdle(this.#jobs, Object.keys(this.flows), this.ports.clock, signal);
  }

  /** What a round would decide; nothing is written, nothing is sent. */
  dryRun(
    signal: AbortSignal,
  ): Promise<{ readonly round: MailRound; readonly decisions: readonly DryDecision[] }> {
    return this.#rounds.dryRun(signal);
  }

  /** Says from when on mails are taken, which also makes this machine the one that works for the vault. */
  async begin(since: number): Promise<void> {
    this.#rounds.settings();
    const isFirst = await this.#claim.isFirst();
    await this.#learnAccount();
    // What lies in Approved was approved for nobody here: the vault may be a copy, or a stranger's.
    if (isFirst) await this.#actions.askForAll();
    await this.#claim.begin(since, this.#rounds.account);
    this.#timer.hurry();
    this.ports.emit({ kind: 'board-changed' });
  }

  /** Makes this machine the one that works for the vault. */
  async takeOver(): Promise<void> {
    await this.#learnAccount();
    await this.#claim.takeOver(this.#rounds.account);
    this.#timer.hurry();
    this.ports.emit({ kind: 'board-changed' });
  }

  async #learnAccount(): Promise<void> {
    const { signal } = this.#closing;
    await this.#rounds.learnAccount(signal).catch((error) => this.#noteTrouble(error));
  }

  async setPaused(paused: boolean): Promise<void> {
    await this.#claim.setPaused(paused);
    this.wake();
  }

  async decideAgain(note: NoteHead, added?: string): Promise<void> {
    // A worker finds the mail in its next round, and not what was said here.
    if (added !== undefined && this.#claim.isShown) throw stopped('shared');
    return this.#actions.decideAgain(note, added);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    this.#timer[Symbol.dispose]();
    this.#listening?.[Symbol.dispose]();
    this.#intake[Symbol.dispose]();
    await this.#turn.catch(() => undefined);
  }

  async #poll(): Promise<void> {
    await this.run().catch((error) => this.#fault(error));
  }

  #inTurn(isFetching: boolean): Promise<MailRound> {
    const turn = this.#turn.then(() => this.#round(isFetching));
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #round(isFetching: boolean): Promise<MailRound> {
    const { emit } = this.ports;
    const round = await this.#rounds.round(isFetching);
    if (isFetching) {
      this.#lastRound = round;
      emit({ kind: 'round-ended', round });
    }
    this.#trouble.tell(await this.state());
    emit({ kind: 'board-changed' });
    return round;
  }

  #fault(error: unknown): void {
    if (!this.#closing.signal.aborted) this.ports.onFault(error);
  }

  #noteTrouble(error: unknown): void {
    if (!this.#closing.signal.aborted) this.#trouble.note(error);
  }

  async #tell(event: ItemEvent, path: string): Promise<void> {
    const note = await this.ports.notes.read(path);
    const item = note && itemOf(note);
    if (item !== undefined) this.ports.emit({ kind: event, item });
    this.ports.emit({ kind: 'board-changed' });
  }
}
