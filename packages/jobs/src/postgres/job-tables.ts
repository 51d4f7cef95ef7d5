import type { JobDetails, JobInfo, JobQuery, Json } from '../job-engine.ts';
import type { JobChange, StoredStep } from '../job-store.ts';
import { JobsError } from '../jobs-error.ts';
import { jobOf, type Row, stepOf } from '../stored-rows.ts';
import { Batch } from './batch.ts';
import type { Database } from './database.ts';

/** A job and its journal, as a worker gets it. */
export interface ClaimedJob {
  readonly job: JobInfo;
  readonly steps: readonly StoredStep[];
}

/** A job that is to be stored. `width`: how many of its key run at once. */
export interface NewJob {
  readonly job: JobInfo;
  readonly width: number;
}

type StepWrite = { readonly job: string; readonly step: StoredStep };
type JobEnd = { readonly id: string; readonly change: JobChange };

/** What can be asked of the tables. What a worker writes about a job is refused unless the job is its own. */
export class JobTables {
  readonly #database: Database;
  readonly #adds: Batch<NewJob, boolean>;
  readonly #steps = new Map<number, Batch<StepWrite, boolean>>();
  readonly #ends = new Map<number, Batch<JobEnd, boolean>>();

  constructor(database: Database) {
    this.#database = database;
    this.#adds = new Batch((jobs) => this.#add(jobs));
  }

  /** Answers with false when the id is known. */
  add(job: NewJob): Promise<boolean> {
    return this.#adds.add(job);
  }

  async claim(
    worker: number,
    flows: readonly string[],
    most: number,
    rate?: { readonly limit: number; readonly periodMs: number },
  ): Promise<readonly ClaimedJob[]> {
    const rows = await this.#database.query('SELECT * FROM SPACE.claim($1, $2, $3, $4, $5)', [
      worker,
      flows,
      most,
      rate?.limit ?? null,
      rate?.periodMs ?? null,
    ]);
    if (rows.length === 0) return [];
    const steps = await this.#database.query(
      'SELECT * FROM SPACE.steps WHERE job = ANY ($1) ORDER BY started_at',
      [rows.map(({ id }) => id)],
    );
    const byJob = Map.groupBy(steps, ({ job }) => job);
    // PostgreSQL updates in an order of its own.
    return rows
      .toSorted((a, b) => Number(a.turn) - Number(b.turn))
      .map((row) => ({ job: jobOf(row), steps: (byJob.get(row.id) ?? []).map(stepOf) }));
  }

  /** Milliseconds until another job of a flow may begin; undefined when one may now. */
  async untilRate(
    flow: string,
    rate: { limit: number; periodMs: number },
  ): Promise<number | undefined> {
    const [row] = await this.#database.query(
      `SELECT started_at + $2 - SPACE.now_ms() AS ms FROM SPACE.jobs
       WHERE flow = $1 AND started_at > SPACE.now_ms() - $2 ORDER BY started_at DESC OFFSET $3 LIMIT 1`,
      [flow, rate.periodMs, rate.limit - 1],
    );
    return row && Number(row.ms);
  }

  /** Answers with false when the job is not this worker's any more. */
  putStep(worker: number, job: string, step: StoredStep): Promise<boolean> {
    const batch = batchOf(this.#steps, worker, (steps) => this.#put(worker, steps));
    return batch.add({ job, step });
  }

  /** Rejects when the job is not this worker's any more. */
  async takeSignal(
    worker: number,
    job: string,
    topic: string,
    { name, attempts, startedAt, endedAt = startedAt }: StoredStep,
  ): Promise<{ readonly value: Json } | undefined> {
    const [row] = await this.#database.query(
      'SELECT * FROM SPACE.take_signal($1, $2, $3, $4, $5, $6, $7)',
      [worker, job, topic, name, attempts, startedAt, endedAt],
    );
    if (row?.is_mine !== true) throw notOwn();
    if (row.taken === null) return undefined;
    return { value: (JSON.parse(String(row.taken)) as readonly Json[])[0] ?? null };
  }

  /** Answers with false when the job is not this worker's any more, or was cancelled. */
  finish(worker: number, id: string, change: JobChange): Promise<boolean> {
    const batch = batchOf(this.#ends, worker, (ends) => this.#finish(worker, ends));
    return batch.add({ id, change });
  }

  async release(worker: number, ids: readonly string[]): Promise<void> {
    await this.#database.query('SELECT SPACE.release_jobs($1, $2)', [worker, ids]);
  }

  /** The jobs of a worker, with what it would have heard of them, had it listened all the time. */
  async held(
    worker: number,
  ): Promise<readonly { readonly id: string; readonly news: readonly string[] }[]> {
    const rows = await this.#database.query(
      `SELECT id, state = 'cancelled' AS is_cancelled,
         EXISTS (SELECT FROM SPACE.signals s WHERE s.job = jobs.id) AS is_signalled
       FROM SPACE.jobs WHERE worker = $1`,
      [worker],
    );
    return rows.map(({ id, is_cancelled, is_signalled }) => ({
      id: String(id),
      news: [
        ...(is_cancelled === true ? [`cancelled ${id}`] : []),
        ...(is_signalled === true ? [`signal ${id}`] : []),
      ],
    }));
  }

  async find(id: string): Promise<JobInfo | undefined> {
    const [row] = await this.#database.query('SELECT * FROM SPACE.jobs WHERE id = $1', [id]);
    return row && jobOf(row);
  }

  async details(id: string): Promise<JobDetails | undefined> {
    const job = await this.find(id);
    if (job === undefined) return undefined;
    const rows = await this.#database.query(
      `SELECT job, name, state, attempts, started_at, ended_at, due_at, error, NULL AS value
       FROM SPACE.steps WHERE job = $1 ORDER BY started_at`,
      [id],
    );
    return { ...job, steps: rows.map(stepOf) };
  }

  async list({ flow, state, limit = 100 }: JobQuery): Promise<readonly JobInfo[]> {
    const rows = await this.#database.query(
      `SELECT * FROM SPACE.jobs WHERE ($1::text IS NULL OR flow = $1) AND ($2::text IS NULL OR state = $2)
       ORDER BY seq DESC LIMIT $3`,
      [flow ?? null, state ?? null, limit],
    );
    return rows.map(jobOf);
  }

  async signal(signalId: string, job: string, topic: string, value: Json): Promise<void> {
    const values = [signalId, job, topic, JSON.stringify(value)];
    await this.#database.query('SELECT SPACE.send_signal($1, $2, $3, $4)', values);
  }

  async cancel(id: string, endedAt: number): Promise<boolean> {
    return isTrue(
      await this.#database.query('SELECT SPACE.cancel_job($1, $2) AS yes', [id, endedAt]),
    );
  }

  async retry(id: string): Promise<boolean> {
    return isTrue(await this.#database.query('SELECT SPACE.retry_job($1) AS yes', [id]));
  }

  async prune(endedBefore: number): Promise<number> {
    const [row] = await this.#database.query('SELECT SPACE.prune($1) AS count', [endedBefore]);
    return Number(row?.count);
  }

  async #add(jobs: readonly NewJob[]): Promise<readonly boolean[]> {
    const rows = await this.#database.query(
      'SELECT SPACE.add_jobs($1, $2, $3, $4, $5, $6) AS id',
      columns(jobs, ({ job, width }) => [
        job.id,
        job.flow,
        job.key ?? null,
        width,
        JSON.stringify(job.input),
        job.createdAt,
      ]),
    );
    return accepted(rows, jobs, ({ job }) => job.id);
  }

  async #put(worker: number, steps: readonly StepWrite[]): Promise<readonly boolean[]> {
    const rows = await this.#database.query(
      'SELECT SPACE.put_steps($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) AS id',
      [
        worker,
        ...columns(steps, ({ job, step }) => [
          job,
          step.name,
          step.state,
          step.attempts,
          step.startedAt,
          step.endedAt ?? null,
          step.dueAt ?? null,
          step.error === undefined ? null : JSON.stringify(step.error),
          step.value === undefined ? null : JSON.stringify(step.value),
        ]),
      ],
    );
    return accepted(rows, steps, ({ job }) => job);
  }

  async #finish(worker: number, ends: readonly JobEnd[]): Promise<readonly boolean[]> {
    const rows = await this.#database.query(
      'SELECT SPACE.finish_jobs($1, $2, $3, $4, $5, $6) AS id',
      [
        worker,
        ...columns(ends, ({ id, change }) => [
          id,
          change.state,
          change.result === undefined ? null : JSON.stringify(change.result),
          change.error === undefined ? null : JSON.stringify(change.error),
          change.endedAt,
        ]),
      ],
    );
    return accepted(rows, ends, ({ id }) => id);
  }
}

/** The failure of whoever writes about a job that is another's by now. */
export function notOwn(): JobsError {
  return new JobsError('lost', 'Another program goes on with the job, or it was cancelled.');
}

function batchOf<Item>(
  batches: Map<number, Batch<Item, boolean>>,
  worker: number,
  run: (items: readonly Item[]) => Promise<readonly boolean[]>,
): Batch<Item, boolean> {
  const batch = batches.get(worker) ?? new Batch(run);
  batches.set(worker, batch);
  return batch;
}

/** One array for each column, as `unnest` takes them. */
function columns<Item>(
  items: readonly Item[],
  valuesOf: (item: Item) => readonly unknown[],
): unknown[][] {
  const rows = items.map(valuesOf);
  return (rows[0] ?? []).map((_, column) => rows.map((row) => row[column]));
}

function accepted<Item>(
  rows: readonly Row[],
  items: readonly Item[],
  idOf: (item: Item) => string,
) {
  const ids = new Set(rows.map(({ id }) => id));
  return items.map((item) => ids.has(idOf(item)));
}

function isTrue([row]: readonly Row[]): boolean {
  return row?.yes === true;
}
