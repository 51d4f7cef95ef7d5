import { randomUUID } from 'node:crypto';
import type { MailSettings } from '@errand/host';
import type { MachineClaim } from './machine-claim.ts';
import type { MailBoard, MailRound } from './mail-board.ts';
import type { MailIntake } from './mail-intake.ts';
import type { MailboxTrouble } from './mailbox-trouble.ts';
import { stopped } from './mailroom-error.ts';
import type { MailroomPorts } from './mailroom-ports.ts';
import { ToolFailure } from './mcp-client.ts';
import { kindOf, type NoteHead, textOf, timeOf } from './note-head.ts';
import { planRound } from './plan-round.ts';
import type { PollTimer } from './poll-timer.ts';
import type { RoundActions } from './round-actions.ts';

export interface RoundPorts
  extends Pick<MailroomPorts, 'settings' | 'notes' | 'clock' | 'mailbox' | 'senders'> {
  readonly claim: MachineClaim;
  readonly intake: MailIntake;
  readonly actions: RoundActions;
  readonly trouble: MailboxTrouble;
  readonly timer: PollTimer;
  /** Aborted when the mailroom ends. */
  readonly signal: AbortSignal;
}

type UnreadMails = Pick<MailBoard, 'unread' | 'hasMoreUnread'>;

/** One look at the folders and at the mailbox after the other. What one decides, the next one would decide again. */
export class MailRounds {
  readonly #ports: RoundPorts;
  #account: string | undefined;
  #unread: UnreadMails | undefined;
  #knowsSenders = false;

  constructor(ports: RoundPorts) {
    this.#ports = ports;
  }

  /** The address of the mailbox, once it is known. */
  get account(): string | undefined {
    return this.#account;
  }

  /** At the first start: how many unread mails there are. */
  get unread(): UnreadMails | undefined {
    return this.#unread;
  }

  /** Looks at the folders, and at the mailbox as well when it fetches. */
  async round(isFetching: boolean): Promise<MailRound> {
    const { clock, claim } = this.#ports;
    const started = clock.now();
    const counts = { fetched: 0, decided: 0, sent: 0, failed: 0 };
    const obstacle = await claim.obstacle();
    if (obstacle !== 'off') await this.#learnSenders();
    if (obstacle === 'first-start' && isFetching) await this.#countUnread();
    const mayWork = async () => (await claim.obstacle()) === undefined;
    if (isFetching && (await mayWork())) counts.fetched = await this.#fetch();
    // Fetching may take long, and a person may have said pause meanwhile.
    if (await mayWork()) await this.#act(counts);
    return this.#ended(started, counts, false);
  }

  /** What a round would decide; nothing is written, nothing is sent. */
  async dryRun(signal: AbortSignal) {
    const { clock, claim, intake } = this.#ports;
    const settings = this.settings();
    const started = clock.now();
    await this.learnAccount(signal).catch(() => undefined);
    const decisions = await intake.dryRun(settings, await claim.read(), signal);
    const failed = decisions.filter(({ decision }) => decision === 'failed').length;
    const decided = decisions.length - failed;
    const counts = { fetched: decisions.length, decided, sent: 0, failed };
    return { round: this.#ended(started, counts, true), decisions };
  }

  /** The settings of the mailroom; throws without any. */
  settings(): MailSettings {
    const settings = this.#ports.settings();
    if (settings === null) throw stopped('off');
    return settings;
  }

  /** Asks for the address of the mailbox, until it is known. */
  async learnAccount(signal: AbortSignal): Promise<void> {
    if (this.#account !== undefined) return;
    const options = { session: `mail:account:${randomUUID()}`, signal };
    this.#account = await this.#ports.mailbox.account(options);
  }

  #ended(
    started: number,
    counts: Pick<MailRound, 'fetched' | 'decided' | 'sent' | 'failed'>,
    isDryRun: boolean,
  ): MailRound {
    const durationMs = this.#ports.clock.now() - started;
    return { startedAt: new Date(started).toISOString(), durationMs, ...counts, isDryRun };
  }

  async #countUnread(): Promise<void> {
    const { intake, trouble, signal } = this.#ports;
    try {
      const { count, hasMore } = await intake.count(this.settings(), signal);
      this.#unread = { unread: count, ...(hasMore && { hasMoreUnread: true }) };
      trouble.clear();
    } catch (error) {
      if (!signal.aborted) trouble.note(error);
    }
  }

  async #fetch(): Promise<number> {
    const { claim, intake, signal, timer, trouble } = this.#ports;
    try {
      await this.learnAccount(signal);
      const stored = await claim.stored();
      const { fetched, historyId } = await intake.fetch(this.settings(), stored, signal);
      timer.succeeded();
      trouble.clear();
      await claim.keepPoll(this.#account, historyId);
      trouble.clearDisk();
      return fetched;
    } catch (error) {
      signal.throwIfAborted();
      timer.failed(error instanceof ToolFailure ? error.waitMs : 0);
      trouble.note(error);
      return 0;
    }
  }

  async #act(counts: { decided: number; sent: number; failed: number }): Promise<void> {
    const { notes, clock, actions, trouble, signal } = this.#ports;
    const { remindHours, expireHours } = this.settings();
    await notes.refresh();
    await actions.refresh();
    const times = {
      now: clock.now(),
      remindMs: remindHours * 3_600_000,
      expireMs: expireHours * 3_600_000,
    };
    for (const action of planRound(notes.heads, times)) {
      if (signal.aborted) return;
      try {
        const counted = await actions.do(action);
        if (counted !== undefined) counts[counted] += 1;
      } catch (error) {
        // Moved or changed since it was looked at, by a person or by a job: the next round decides anew.
        if (error instanceof ToolFailure && !(await this.#isAsSeen(action.note))) continue;
        // One note that cannot be handled must not keep the others waiting.
        counts.failed += 1;
        if (!signal.aborted) trouble.note(error);
      }
    }
  }

  async #isAsSeen({ path, inode, changedAt }: NoteHead): Promise<boolean> {
    const now = await this.#ports.notes.read(path);
    return now?.inode === inode && now.changedAt === changedAt;
  }

  async #learnSenders(): Promise<void> {
    if (this.#knowsSenders) return;
    await this.#ports.notes.refresh();
    for (const head of this.#ports.notes.heads) {
      if (kindOf(head) !== 'mail') continue;
      const [from, id] = [textOf(head, 'from') ?? '', textOf(head, 'message_id') ?? head.path];
      await this.#ports.senders.add(from, id, timeOf(head, 'fetched_at') ?? 0);
    }
    this.#knowsSenders = true;
  }
}
