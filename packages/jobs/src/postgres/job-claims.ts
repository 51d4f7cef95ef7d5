import type { FlowOptions } from '../job-engine.ts';
import type { JobsError } from '../jobs-error.ts';
import type { Slots } from '../limits.ts';
import { databaseFailure } from './database-failure.ts';
import type { ClaimedJob, JobTables } from './job-tables.ts';
import type { WorkerLease } from './worker-lease.ts';

interface ClaimPorts {
  readonly tables: JobTables;
  readonly flows: ReadonlyMap<string, FlowOptions>;
  readonly slots: Slots;
  readonly launch: (claimed: ClaimedJob, worker: number) => void;
  /** The jobs that this program has taken, by their ids. */
  readonly running: { has(id: string): boolean };
  readonly onFault: (failure: JobsError) => void;
}

/** Takes jobs from the database, as many as there is room for, whenever there may be some. */
export class JobClaims {
  readonly #ports: ClaimPorts;
  readonly #rateTimers = new Map<string, NodeJS.Timeout>();
  #lease: WorkerLease | undefined;
  #claiming: Promise<void> | undefined;
  #mayBeMore = false;

  constructor(ports: ClaimPorts) {
    this.#ports = ports;
  }

  start(lease: WorkerLease): void {
    this.#lease = lease;
    this.wake();
  }

  /** Takes no more; resolves when nothing is under way. */
  async stop(): Promise<void> {
    this.#lease = undefined;
    for (const timer of this.#rateTimers.values()) clearTimeout(timer);
    await this.#claiming;
  }

  wake(): void {
    this.#mayBeMore = true;
    if (this.#lease === undefined) return;
    this.#claiming ??= this.#claim().finally(() => {
      this.#claiming = undefined;
      // Woken after the last look, and before this.
      if (this.#mayBeMore && this.#ports.slots.free > 0 && this.#lease?.isHeld) this.wake();
    });
  }

  /**
   * What was missed, because the connection that listens was cut or leads through a pooler. Jobs that are ours without our
   * knowledge, because the answer of the database was lost, are handed back.
   */
  async catchUp(): Promise<readonly string[]> {
    const { tables, running, onFault } = this.#ports;
    const lease = this.#lease;
    if (lease === undefined) return [];
    this.wake();
    try {
      const worker = lease.id;
      const held = await tables.held(worker);
      // Those that are being taken right now will be known soon.
      if (this.#claiming === undefined) {
        const unknown = held.map(({ id }) => id).filter((id) => !running.has(id));
        if (unknown.length > 0) await tables.release(worker, unknown);
      }
      return held.flatMap(({ news }) => news);
    } catch (error) {
      onFault(databaseFailure(error));
      return [];
    }
  }

  async #claim(): Promise<void> {
    const { tables, flows, slots, launch, onFault } = this.#ports;
    try {
      while (this.#mayBeMore && this.#lease?.isHeld) {
        this.#mayBeMore = false;
        for (const group of claimGroups(flows)) {
          const most = Math.min(slots.free, mostAtOnce);
          if (most <= 0 || this.#lease === undefined) return;
          const worker = this.#lease.id;
          const claimed = await tables.claim(worker, group.flows, most, group.rate);
          for (const each of claimed) launch(each, worker);
          if (claimed.length > 0) this.#mayBeMore = true;
          else if (group.rate !== undefined) await this.#wakeLater(group.flows[0], group.rate);
        }
      }
    } catch (error) {
      this.#mayBeMore = false;
      onFault(databaseFailure(error));
    }
  }

  /** When the next job of a flow with a rate may begin. */
  async #wakeLater(flow = '', rate: NonNullable<FlowOptions['rate']>): Promise<void> {
    const ms = await this.#ports.tables.untilRate(flow, rate);
    clearTimeout(this.#rateTimers.get(flow));
    if (ms === undefined || this.#lease === undefined) return;
    const timer = setTimeout(() => this.wake(), Math.max(1, Math.min(ms, rate.periodMs)));
    this.#rateTimers.set(flow, timer);
  }
}

const mostAtOnce = 200;

/** Flows without a rate are claimed together, each other by itself. */
function claimGroups(
  flows: ReadonlyMap<string, FlowOptions>,
): readonly { flows: readonly string[]; rate?: NonNullable<FlowOptions['rate']> }[] {
  const free = [...flows].filter(([, { rate }]) => rate === undefined).map(([name]) => name);
  const rated = [...flows].flatMap(([name, { rate }]) => (rate ? [{ flows: [name], rate }] : []));
  return [...(free.length > 0 ? [{ flows: free }] : []), ...rated];
}
