import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type {
  FlowOptions,
  JobDetails,
  JobInfo,
  JobLoad,
  JobQuery,
  Json,
  SharedCounts,
  SharedJobEngine,
  StartOptions,
} from '../job-engine.ts';
import { JobRun, type RunPorts } from '../job-run.ts';
import type { JobChange } from '../job-store.ts';
import { JobsError } from '../jobs-error.ts';
import { jsonValue } from '../json-value.ts';
import { endOf, RunningJobs } from '../running-jobs.ts';
import type { JobsOptions } from '../stored-jobs.ts';
import { wait } from '../wait.ts';
import { Database, type DatabaseOptions } from './database.ts';
import { databaseFailure, isMendable, isPassing } from './database-failure.ts';
import { JobClaims } from './job-claims.ts';
import { type ClaimedJob, JobTables, notOwn } from './job-tables.ts';
import { countsIn } from './shared-counts.ts';
import { WorkerLease } from './worker-lease.ts';

export interface PostgresJobsOptions extends JobsOptions, DatabaseOptions {
  /** How long this program may be silent before others go on with its jobs: 8 s unless said otherwise. */
  readonly leaseMs?: number;
  /** How long a request may wait for a database that does not answer: 10 s unless said otherwise. */
  readonly patienceMs?: number;
}

/** Runs jobs of a database, together with any number of other programs. As long as it has no flows it only asks. */
export class PostgresJobs implements SharedJobEngine {
  readonly counts: SharedCounts;
  readonly #database: Database;
  readonly #tables: JobTables;
  readonly #options: PostgresJobsOptions;
  readonly #flows: Map<string, FlowOptions>;
  readonly #running: RunningJobs;
  readonly #toldHere = new Set<string>();
  readonly #claims: JobClaims;
  readonly #closing = new AbortController();
  readonly #closed = new AbortController();
  #lease: WorkerLease | undefined;
  #working: Promise<void> | undefined;
  #failure: JobsError | undefined;

  private constructor(options: PostgresJobsOptions) {
    this.#options = options;
    this.#database = new Database(options);
    this.#tables = new JobTables(this.#database);
    this.counts = countsIn((text, values) => this.#ask(() => this.#database.query(text, values)));
    this.#flows = new Map(Object.entries(options.flows));
    this.#running = new RunningJobs(options.concurrency);
    this.#claims = new JobClaims({
      tables: this.#tables,
      flows: this.#flows,
      slots: this.#running.slots,
      launch: (claimed, worker) => this.#launch(claimed, worker),
      running: this.#running,
      onFault: (failure) => this.#fault(failure),
    });
  }

  /** Opens the engine, makes the tables where there are none, and begins to work. */
  static async open(options: PostgresJobsOptions): Promise<PostgresJobs> {
    const jobs = new PostgresJobs(options);
    try {
      await jobs.#database.prepare();
      if (jobs.#flows.size > 0) await jobs.add({});
      return jobs;
    } catch (error) {
      await jobs.#database[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** What is wrong with the database at the moment. */
  get failure(): JobsError | undefined {
    return this.#failure;
  }

  get load(): JobLoad {
    return this.#running.load;
  }

  async add(flows: Readonly<Record<string, FlowOptions>>): Promise<void> {
    for (const [name, flow] of Object.entries(flows)) this.#flows.set(name, flow);
    this.#working ??= this.#work();
    try {
      await this.#working;
    } catch (error) {
      this.#working = undefined;
      throw error;
    }
    this.#claims.wake();
  }

  async start(
    flow: string,
    input: Json,
    { id = randomUUID(), key }: StartOptions = {},
  ): Promise<JobInfo> {
    this.#closing.signal.throwIfAborted();
    const options = this.#flows.get(flow);
    if (options === undefined) throw new JobsError('unknown_flow', `There is no flow "${flow}".`);
    const { perKey = 1 } = options;
    const job: JobInfo = {
      id,
      flow,
      ...(key !== undefined && { key }),
      state: 'queued',
      input: jsonValue(input, 'The input of a job'),
      createdAt: this.#now(),
    };
    const width =
      key === undefined || typeof perKey === 'number' ? Number(perKey) || 1 : perKey(key);
    const isNew = await this.#ask(() => this.#tables.add({ job, width }));
    if (!isNew) return (await this.#ask(() => this.#tables.find(id))) ?? job;
    this.#running.notify(job);
    this.#claims.wake();
    return job;
  }

  async signal(id: string, topic: string, value: Json = null): Promise<void> {
    const sent = jsonValue(value, 'A signal');
    // With an id of its own it is stored once, however often it is sent.
    const signalId = randomUUID();
    await this.#ask(() => this.#tables.signal(signalId, id, topic, sent));
    this.#running.signal(id);
  }

  status(id: string): Promise<JobDetails | undefined> {
    return this.#ask(() => this.#tables.details(id));
  }

  list(query: JobQuery = {}): Promise<readonly JobInfo[]> {
    return this.#ask(() => this.#tables.list(query));
  }

  async cancel(id: string): Promise<boolean> {
    const job = await this.#found(id);
    const endedAt = this.#now();
    const isNew = await this.#telling(
      id,
      this.#ask(() => this.#tables.cancel(id, endedAt)),
    );
    if (!isNew) return false;
    this.#abort(id);
    this.#running.notify({ ...job, state: 'cancelled', endedAt });
    this.#claims.wake();
    return true;
  }

  async retry(id: string): Promise<void> {
    const job = await this.#found(id);
    if (job.state !== 'failed' && job.state !== 'cancelled') throw notRetryable(job);
    await this.#running.whenEnded(id);
    // The program that ran it may still be about to let it go; one that died is noticed after its lease.
    const until = performance.now() + (this.#options.patienceMs ?? 10_000);
    while (!(await this.#ask(() => this.#tables.retry(id)))) {
      const { state } = await this.#found(id);
      const isHeld = state === 'failed' || state === 'cancelled';
      if (!isHeld || performance.now() > until) throw notRetryable({ ...job, state });
      await wait(releasePauseMs, this.#closing.signal);
    }
    const { error: _, endedAt: __, ...queued } = job;
    this.#running.notify({ ...queued, state: 'queued' });
    this.#claims.wake();
  }

  prune(endedBefore: number): Promise<number> {
    return this.#ask(() => this.#tables.prune(endedBefore));
  }

  onChange(listener: (job: JobInfo) => void): Disposable {
    return this.#running.onChange(listener);
  }

  /** Lets running steps end, for a while, and hands all jobs to other programs. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closing.signal.aborted) return;
    const { drainMs = 5_000 } = this.#options;
    const reason = new JobsError('closed', 'The engine of the jobs is closed.');
    this.#closing.abort(reason);
    await this.#claims.stop();
    await this.#running.drain(reason, drainMs);
    this.#closed.abort(reason);
    await this.#lease?.[Symbol.asyncDispose]();
    await this.#database[Symbol.asyncDispose]();
  }

  async #work(): Promise<void> {
    const { leaseMs = 8_000, name = hostname() } = this.#options;
    this.#lease = await WorkerLease.take({
      database: this.#database,
      name,
      flows: () => [...this.#flows.keys()],
      leaseMs,
      onNews: (news) => this.#hear(news),
      onLost: (reason) => {
        for (const run of this.#running.all) run.abort(reason);
      },
      onFault: (failure) => this.#fault(failure),
    });
    this.#claims.start(this.#lease);
  }

  #now(): number {
    return (this.#options.now ?? Date.now)();
  }

  async #found(id: string): Promise<JobInfo> {
    const job = await this.#ask(() => this.#tables.find(id));
    if (job === undefined) throw new JobsError('unknown_job', `There is no job "${id}".`);
    return job;
  }

  #hear(news: string): void {
    const [kind, id = ''] = news.split(/ (.*)/s);
    if (kind === 'ready') this.#claims.wake();
    else if (kind === 'signal') this.#running.signal(id);
    else if (kind === 'beat') {
      this.#failure = undefined;
      void this.#claims.catchUp().then((missed) => missed.forEach((each) => void this.#hear(each)));
    } else if (kind === 'cancelled' || kind === 'ended') {
      if (kind === 'cancelled') {
        this.#abort(id);
        this.#claims.wake();
      }
      if (!this.#toldHere.delete(id) && this.#running.isHeard) void this.#tellFound(id);
    }
  }

  #launch({ job, steps }: ClaimedJob, worker: number): void {
    const options = this.#flows.get(job.flow);
    if (options === undefined) return;
    // There is a free one: no more jobs were asked for.
    void this.#running.slots.take();
    const run = new JobRun(job, steps, this.#portsOf(worker));
    void this.#running.follow(run, this.#run(run, options, worker)).then(() => {
      this.#running.slots.release();
      this.#claims.wake();
    });
    this.#running.notify(job);
  }

  /** Never rejects: a job that cannot be run stays with this program until it ends. */
  async #run(run: JobRun, { run: flow }: FlowOptions, worker: number): Promise<void> {
    try {
      const change = await endOf(run, flow, () => this.#now());
      if (change !== undefined) await this.#finish(run.job, worker, change);
      else if (!this.#closing.signal.aborted)
        await this.#keep(() => this.#tables.release(worker, [run.id]));
    } catch (error) {
      if (!this.#closed.signal.aborted) this.#options.onFault?.(error);
    }
  }

  async #finish(job: JobInfo, worker: number, change: JobChange): Promise<void> {
    const finishing = this.#keep(() => this.#tables.finish(worker, job.id, change));
    if (await this.#telling(job.id, finishing))
      this.#running.notify({ ...job, ...change } as JobInfo);
    // It was cancelled at the last moment, and makes room now.
    else await this.#keep(() => this.#tables.release(worker, [job.id]));
  }

  #portsOf(worker: number): RunPorts {
    return {
      journal: {
        put: async (job, step) => {
          if (await this.#keep(() => this.#tables.putStep(worker, job, step))) return;
          throw this.#lostJob(job);
        },
        takeSignal: (job, topic, step) =>
          this.#keep(() => this.#tables.takeSignal(worker, job, topic, step)),
        mayAct: async () => {
          await this.#lease?.confirm();
        },
      },
      now: () => this.#now(),
      suspend: this.#running.suspending(() => this.#claims.wake()),
      signalled: this.#running.signalled,
    };
  }

  #lostJob(id: string): JobsError {
    const reason = notOwn();
    this.#running.find(id)?.abort(reason);
    return reason;
  }

  #abort(id: string): void {
    this.#running.find(id)?.abort(new JobsError('cancelled', 'The job was cancelled.'));
  }

  /** What a run has to store is tried until it is stored: the database itself refuses what came too late. */
  #keep<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#retried(work, isMendable, Number.POSITIVE_INFINITY);
  }

  /** Somebody waits for the answer. */
  #ask<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#retried(work, isPassing, this.#options.patienceMs ?? 10_000);
  }

  async #retried<Result>(
    work: () => Promise<Result>,
    mayPass: (failure: JobsError) => boolean,
    patienceMs: number,
  ): Promise<Result> {
    const until = performance.now() + patienceMs;
    for (let pauseMs = 50; ; pauseMs = Math.min(pauseMs * 2, 1_000)) {
      try {
        return await work();
      } catch (error) {
        const failure = databaseFailure(error);
        if (!mayPass(failure) || performance.now() + pauseMs > until) throw failure;
        this.#fault(failure);
        await wait(pauseMs, this.#closed.signal);
      }
    }
  }

  /** Told once, until the database answers again. */
  #fault(failure: JobsError): void {
    const isKnown = this.#failure?.code === failure.code;
    this.#failure = failure;
    if (!isKnown && !this.#closed.signal.aborted) this.#options.onFault?.(failure);
  }

  async #tellFound(id: string): Promise<void> {
    const job = await this.#tables.find(id).catch(() => undefined);
    if (job !== undefined) this.#running.notify(job);
  }

  /** The news of a change comes back from the database, as to everybody, and may be here before the answer. */
  async #telling(id: string, changing: Promise<boolean>): Promise<boolean> {
    if (this.#toldHere.size > 10_000) this.#toldHere.clear();
    this.#toldHere.add(id);
    const isChanged = await changing;
    if (!isChanged) this.#toldHere.delete(id);
    return isChanged;
  }
}

const releasePauseMs = 100;

function notRetryable({ state }: JobInfo): JobsError {
  const isHeld = state === 'failed' || state === 'cancelled';
  const message = isHeld
    ? 'The program that ran the job has not let it go yet. Try again.'
    : `The job is ${state}; only a failed or cancelled one is retried.`;
  return new JobsError('not_retryable', message);
}
