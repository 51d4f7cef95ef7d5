import { randomUUID } from 'node:crypto';
import type { MailSettings } from '@errand/host';
import type { JobEngine, JobInfo } from '@errand/jobs';
import { isRecord } from '@errand/wire';
import { decideMail } from './decide-mail.ts';
import { startLabels } from './label-flow.ts';
import { decideContext, type MailFlowPorts } from './mail-flow.ts';
import { startMail } from './mail-job.ts';
import type { DryDecision } from './mail-methods.ts';
import { gateMail } from './mail-note.ts';
import type { OrchestratorState } from './orchestrator-state.ts';

/** The search unless the settings have another. */
const usualQuery = 'in:inbox is:unread';
/** Mails of one round. */
const mostMails = 50;
/** Mails that are counted one by one at the first start: Gmail's own number is an estimate, and often far off. */
const mostCounted = 1_000;
/** Mails that one search finds; the next one finds those that are older. */
const mostFound = 2_000;
/** Pages of the history that are read without a pause. */
const mostPages = 40;
/** So long a round waits for its mails to become notes before it looks for more. */
const storeWaitMs = 60_000;

export interface IntakePorts extends MailFlowPorts {
  readonly jobs: () => JobEngine | undefined;
}

/** Finds new mails and begins a job for each. */
export class MailIntake {
  readonly #ports: IntakePorts;
  readonly #started = new Set<string>();
  readonly #unstored = new Map<string, () => void>();
  /** From when on mails were searched for; a person may change it. */
  #searchedSince: string | undefined;

  constructor(ports: IntakePorts) {
    this.#ports = ports;
  }

  /** A mail is a note now, or will be none. */
  onStored(id: string): void {
    this.#unstored.get(id)?.();
    this.#unstored.delete(id);
  }

  /** The job of a mail may end in another program. */
  onJob({ flow, state, input }: JobInfo): void {
    if (flow !== 'mail' || state === 'queued' || state === 'running') return;
    if (isRecord(input)) this.onStored(String(input.messageId));
  }

  /** How many mails the search of the settings finds; of very many only whether there are more. */
  async count(
    { query }: MailSettings,
    signal: AbortSignal,
  ): Promise<{ readonly count: number; readonly hasMore: boolean }> {
    const options = { session: newSession('count'), signal };
    const { ids, hasMore } = await this.#ports.mailbox.find(query, mostCounted, options);
    return { count: ids.length, hasMore };
  }

  /** The Gmail ids of sent mails with a Message-ID. */
  async sentAs(messageId: string, signal: AbortSignal): Promise<readonly string[]> {
    const query = `in:sent rfc822msgid:${messageId}`;
    return (await this.#ports.mailbox.find(query, 1, { session: newSession('sent'), signal })).ids;
  }

  /**
   * Begins a job for every mail that is new: those that the history of the mailbox names, and at the start of a program,
   * when a person says from when on, or when the history is gone, all that the search finds. Answers with how many, and where the history goes on.
   */
  async fetch(
    settings: MailSettings,
    stored: OrchestratorState | undefined,
    signal: AbortSignal,
  ): Promise<{ readonly fetched: number; readonly historyId?: string }> {
    // A search of one's own may leave out what the history names.
    if (settings.query !== usualQuery) {
      const { fetched } = await this.#search(settings, stored, signal);
      return { fetched };
    }
    const { mailbox } = this.#ports;
    const hasSearched = this.#searchedSince === (stored?.since ?? '');
    let historyId = hasSearched ? stored?.last_history_id : undefined;
    let fetched = 0;
    for (let page = 0; historyId !== undefined && page < mostPages; page += 1) {
      const news = await mailbox.news(historyId, { session: newSession('news'), signal });
      if (news.isGone) break;
      const fresh = news.ids.filter((id) => !this.#started.has(id));
      await this.#startAll(fresh);
      fetched += fresh.length;
      historyId = news.historyId;
      if (!news.hasMore) return { fetched, historyId };
    }
    // Where the history is now, before anything is listed: what comes meanwhile comes again.
    const now = await mailbox.news(undefined, { session: newSession('news'), signal });
    const found = await this.#search(settings, stored, signal);
    this.#searchedSince = found.hasMore ? undefined : (stored?.since ?? '');
    return { fetched: fetched + found.fetched, historyId: now.historyId };
  }

  async #search(
    settings: MailSettings,
    stored: OrchestratorState | undefined,
    signal: AbortSignal,
  ): Promise<{ readonly fetched: number; readonly hasMore: boolean }> {
    const options = { session: newSession('round'), signal };
    const { mailbox } = this.#ports;
    const { ids, hasMore } = await mailbox.find(queryOf(settings, stored), mostFound, options);
    const fresh = ids.filter((id) => !this.#started.has(id));
    for (let at = 0; at < fresh.length && !signal.aborted; at += mostMails) {
      const batch = fresh.slice(at, at + mostMails);
      const storing = Promise.all(batch.map((id) => this.#whenStored(id)));
      await this.#startAll(batch);
      if (at + mostMails < fresh.length) await this.#within(storeWaitMs, storing, signal);
    }
    return { fetched: fresh.length, hasMore };
  }

  /** In order; stored together. */
  async #startAll(ids: readonly string[]): Promise<void> {
    await Promise.all(ids.map((id) => this.start(id, 0)));
    const jobs = this.#ports.jobs();
    if (jobs !== undefined) await startLabels(jobs, ids);
  }

  /** Begins the job of a mail; once for each time that it is decided about. */
  async start(messageId: string, retries: number, note?: string): Promise<void> {
    const jobs = this.#ports.jobs();
    // The program that owns the vault does it in its next round.
    if (jobs === undefined) return;
    this.#started.add(messageId);
    const isStored = retries > 0;
    const input = {
      messageId,
      retries,
      failures: 0,
      isStored,
      ...(note !== undefined && { note }),
    };
    const job = await startMail(jobs, input);
    // An earlier program may have done it all.
    if (job.state !== 'queued' && job.state !== 'running') this.onStored(messageId);
  }

  /** What would be decided; nothing is written. */
  async dryRun(
    settings: MailSettings,
    stored: OrchestratorState | undefined,
    signal: AbortSignal,
  ): Promise<readonly DryDecision[]> {
    const { mailbox } = this.#ports;
    const page = { session: newSession('dry'), signal };
    const { ids } = await mailbox.find(queryOf(settings, stored), mostMails, page);
    const decisions: DryDecision[] = [];
    for (const messageId of ids) {
      const mail = gateMail(await mailbox.read(messageId, { session: newSession('dry'), signal }));
      const context = await decideContext(mail, undefined, this.#ports, signal);
      const decided = await decideMail(mail, context, signal);
      const { from, subject } = mail;
      decisions.push(
        'failure' in decided
          ? { messageId, from, subject, decision: 'failed', reasoning: decided.failure }
          : { messageId, from, subject, decision: decided.decision, reasoning: decided.reasoning },
      );
    }
    return decisions;
  }

  [Symbol.dispose](): void {
    for (const resolve of this.#unstored.values()) resolve();
  }

  #whenStored(id: string): Promise<void> {
    return new Promise((resolve) => void this.#unstored.set(id, resolve));
  }

  /** Waits for something for so long at most. */
  async #within(
    milliseconds: number,
    waited: Promise<unknown>,
    signal: AbortSignal,
  ): Promise<void> {
    const over = Promise.withResolvers<void>();
    const stop = () => over.resolve();
    using _timer = this.#ports.clock.after(milliseconds, stop);
    signal.addEventListener('abort', stop, { once: true });
    await Promise.race([waited, over.promise]);
    signal.removeEventListener('abort', stop);
  }
}

function newSession(what: string): string {
  return `mail:${what}:${randomUUID()}`;
}

/** The search of the settings, without what became notes before, from the time on that a person said. */
function queryOf({ query, label }: MailSettings, stored: OrchestratorState | undefined): string {
  const since = Date.parse(stored?.since ?? '');
  // Whole seconds that lie behind it: what came in the second of the start is not left out.
  const after = Number.isNaN(since) ? '' : ` after:${Math.floor(since / 1000) - 1}`;
  return `${query} -label:${label.replace(/\s+/g, '-')}${after}`;
}
