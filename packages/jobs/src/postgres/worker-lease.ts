import type pg from 'pg';
import { JobsError } from '../jobs-error.ts';
import { wait } from '../wait.ts';
import type { Database } from './database.ts';
import { databaseFailure } from './database-failure.ts';

export interface LeasePorts {
  readonly database: Database;
  readonly name: string;
  /** The names of the flows that this program runs. */
  readonly flows: () => readonly string[];
  /** How long this program may be silent before others take over its jobs. */
  readonly leaseMs: number;
  /** Hears what the database tells everybody, and `beat` after each sign of life. */
  readonly onNews: (news: string) => void;
  /** Jobs of this program may be run by another from now on. */
  readonly onLost: (reason: JobsError) => void;
  readonly onFault: (failure: JobsError) => void;
}

/**
 * This program's place among the workers. It gives a sign of life several times in each lease, and watches those of others:
 * whose sign stays the same for a whole lease is taken out, and its jobs go on elsewhere. A program that does not
 * reach the database gives up its jobs before others may take them. Only time that has passed counts, no clock.
 */
export class WorkerLease implements AsyncDisposable {
  readonly #ports: LeasePorts;
  readonly #closing = new AbortController();
  readonly #watched = new Map<number, { beat: number; since: number; leaseMs: number }>();
  #id = 0;
  /** Of its last sign of life: when it was sent. */
  #seenAt = Number.NEGATIVE_INFINITY;
  #seenOnClock = 0;
  #isLost = false;
  #beating = Promise.resolve();
  #client: pg.Client | undefined;
  #guard: NodeJS.Timeout | undefined;

  private constructor(ports: LeasePorts) {
    this.#ports = ports;
  }

  /** Enters the list of workers. */
  static async take(ports: LeasePorts): Promise<WorkerLease> {
    const lease = new WorkerLease(ports);
    await lease.#beat();
    lease.#guard = setInterval(() => lease.#giveUpInTime(), ports.leaseMs / 10);
    void lease.#keep();
    return lease;
  }

  get id(): number {
    return this.#id;
  }

  /** Whether jobs may be taken now. */
  get isHeld(): boolean {
    return !this.#isLost && this.#age() < this.#safeMs;
  }

  /** Resolves when this program may act for its jobs. */
  async confirm(): Promise<void> {
    // A machine that slept counts no time that passed, but its clock shows it.
    const hasSlept = Math.abs(Date.now() - this.#seenOnClock) > this.#ports.leaseMs;
    if (this.isHeld && !hasSlept) return;
    const id = this.#id;
    if (!this.#isLost) await this.#beat().catch(() => undefined);
    if (!this.isHeld || this.#id !== id) throw lost();
  }

  /** Leaves the list, and hands back what is left. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    clearInterval(this.#guard);
    await this.#beating.catch(() => undefined);
    try {
      await this.#ports.database.query('SELECT SPACE.dismiss($1, NULL)', [this.#id]);
    } catch (error) {
      // Others notice after the lease.
      this.#ports.onFault(databaseFailure(error));
    }
    await this.#disconnect();
  }

  get #safeMs(): number {
    return this.#ports.leaseMs * 0.7;
  }

  #age(): number {
    return performance.now() - this.#seenAt;
  }

  #giveUpInTime(): void {
    if (this.#isLost || this.#age() < this.#safeMs) return;
    this.#isLost = true;
    this.#ports.onLost(lost());
  }

  async #keep(): Promise<void> {
    const { signal } = this.#closing;
    const pauseMs = Math.min(2_000, this.#ports.leaseMs / 6);
    while (!signal.aborted) {
      await wait(pauseMs, signal).catch(() => undefined);
      if (signal.aborted) return;
      try {
        await this.#beat();
        await this.#reap();
      } catch (error) {
        if (!signal.aborted) this.#ports.onFault(databaseFailure(error));
      }
    }
  }

  #beat(): Promise<void> {
    this.#beating = this.#beating.catch(() => undefined).then(() => this.#beatOnce());
    return this.#beating;
  }

  async #beatOnce(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    const sentAt = performance.now();
    const isKnown = !this.#isLost && (await this.#countUp());
    if (!isKnown || this.#isLost) await this.#enter();
    this.#seenAt = sentAt;
    this.#seenOnClock = Date.now();
    this.#isLost = false;
    this.#ports.onNews('beat');
  }

  async #countUp(): Promise<boolean> {
    const rows = await this.#query(
      'UPDATE SPACE.workers SET beat = beat + 1 WHERE id = $1 RETURNING id',
      [this.#id],
    );
    return rows.length > 0;
  }

  /** Whoever gave up its jobs comes back under a new number: what it asked for under the old one may arrive late. */
  async #enter(): Promise<void> {
    const { name, flows, leaseMs, onLost } = this.#ports;
    if (this.#id !== 0) {
      this.#isLost = true;
      onLost(lost());
      await this.#query('SELECT SPACE.dismiss($1, NULL)', [this.#id]);
    }
    const [row] = await this.#query(
      'INSERT INTO SPACE.workers (name, flows, lease_ms, started_at) VALUES ($1, $2, $3, SPACE.now_ms()) RETURNING id',
      [name, flows(), Math.round(leaseMs)],
    );
    this.#id = Number(row?.id);
  }

  async #reap(): Promise<void> {
    const others = await this.#query(
      'SELECT id, beat, lease_ms FROM SPACE.workers WHERE id <> $1',
      [this.#id],
    );
    const now = performance.now();
    const known = new Set(others.map(({ id }) => Number(id)));
    for (const id of this.#watched.keys()) if (!known.has(id)) this.#watched.delete(id);
    for (const { id, beat, lease_ms } of others) {
      const before = this.#watched.get(Number(id));
      if (before?.beat !== Number(beat)) {
        this.#watched.set(Number(id), {
          beat: Number(beat),
          since: now,
          leaseMs: Number(lease_ms),
        });
      } else if (now - before.since > before.leaseMs) {
        await this.#query('SELECT SPACE.dismiss($1, $2)', [id, beat]);
      }
    }
  }

  /** Over a connection of its own, which also listens: a busy program is not taken for a dead one. */
  async #query(
    text: string,
    values: readonly unknown[],
  ): Promise<readonly Record<string, unknown>[]> {
    const { database } = this.#ports;
    try {
      this.#client ??= await this.#connect();
      const { rows } = await this.#client.query(text.replaceAll('SPACE.', `${database.schema}.`), [
        ...values,
      ]);
      return rows;
    } catch (error) {
      // While nobody could give a sign of life, none is missed.
      this.#watched.clear();
      await this.#disconnect();
      throw databaseFailure(error);
    }
  }

  async #connect(): Promise<pg.Client> {
    const { database, leaseMs, onNews } = this.#ports;
    const client = await database.connect(Math.max(500, leaseMs / 4));
    client.on('notification', ({ payload = '' }) => onNews(payload));
    client.on('end', () => {
      if (this.#client === client) this.#client = undefined;
    });
    await client.query(`LISTEN ${database.schema}`);
    return client;
  }

  async #disconnect(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    const over = AbortSignal.timeout(1_000);
    const late = new Promise((resolve) => over.addEventListener('abort', resolve, { once: true }));
    await Promise.race([client?.end().catch(() => undefined), late]);
  }
}

function lost(): JobsError {
  const message =
    'The database was not reached in time, so another program may go on with the job.';
  return new JobsError('lost', message);
}
