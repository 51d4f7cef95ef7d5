import { randomUUID } from 'node:crypto';
import { GroupCommit } from './group-commit.ts';
import type {
  FlowOptions,
  JobDetails,
  JobEngine,
  JobInfo,
  JobLoad,
  JobQuery,
  Json,
  StartOptions,
} from './job-engine.ts';
import { JobRun, type RunPorts } from './job-run.ts';
import type { JobChange, JobHead, JobStore } from './job-store.ts';
import { JobsError } from './jobs-error.ts';
import { jsonValue } from './json-value.ts';
import { Lanes, Rate } from './limits.ts';
import { endOf, RunningJobs } from './running-jobs.ts';

export interface JobsOptions {
  readonly flows: Readonly<Record<string, FlowOptions>>;
  /** Jobs that work at once: 25 unless said otherwise. One that only waits does not count. */
  readonly concurrency?: number;
  /** How long steps may go on when the engine closes: 5 s unless said otherwise. */
  readonly drainMs?: number;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** Hears what went wrong with the store while a job ran; the job goes on when the engine is opened again. */
  readonly onFault?: (error: unknown) => void;
}

/** Runs jobs of a store in this process. */
export class StoredJobs implements JobEngine {
  readonly #store: JobStore;
  readonly #flows: ReadonlyMap<string, FlowOptions>;
  readonly #commits: GroupCommit;
  readonly #lanes = new Lanes();
  readonly #rates = new Map<string, Rate>();
  readonly #now: () => number;
  readonly #drainMs: number;
  readonly #onFault: (error: unknown) => void;
  readonly #running: RunningJobs;
  readonly #starting = new Map<string, Promise<JobInfo>>();
  readonly #closing = new AbortController();

  private constructor(store: JobStore, options: JobsOptions) {
    this.#store = store;
    this.#flows = new Map(Object.entries(options.flows));
    this.#commits = new GroupCommit(store);
    this.#running = new RunningJobs(options.concurrency);
    this.#now = options.now ?? Date.now;
    this.#drainMs = options.drainMs ?? 5_000;
    this.#onFault = options.onFault ?? (() => undefined);
    for (const [name, { rate }] of this.#flows) {
      if (rate === undefined) continue;
      const now = this.#now();
      const starts = store.startsSince(name, now - rate.periodMs).slice(-rate.limit);
      this.#rates.set(
        name,
        new Rate(
          rate,
          starts.map((at) => Math.max(0, now - at)),
        ),
      );
    }
  }

  /** Opens the engine, and goes on with every job that has not ended. */
  static open(store: JobStore, options: JobsOptions): JobEngine {
    const jobs = new StoredJobs(store, options);
    for (const head of store.unfinished()) jobs.#enqueue(head);
    return jobs;
  }

  get load(): JobLoad {
    return this.#running.load;
  }

  async start(
    flow: string,
    input: Json,
    { id = randomUUID(), key }: StartOptions = {},
  ): Promise<JobInfo> {
    this.#closing.signal.throwIfAborted();
    if (!this.#flows.has(flow)) throw new JobsError('unknown_flow', `There is no flow "${flow}".`);
    const known = this.#starting.get(id) ?? this.#store.find(id);
    if (known !== undefined) return known;
    const starting = this.#add({
      id,
      flow,
      ...(key !== undefined && { key }),
      state: 'queued',
      input: jsonValue(input, 'The input of a job'),
      createdAt: this.#now(),
    });
    this.#starting.set(id, starting);
    try {
      return await starting;
    } finally {
      this.#starting.delete(id);
    }
  }

  async signal(id: string, topic: string, value: Json = null): Promise<void> {
    const sent = jsonValue(value, 'A signal');
    await this.#commits.write((writer) => writer.addSignal(id, topic, sent));
    this.#running.signal(id);
  }

  async status(id: string): Promise<JobDetails | undefined> {
    const job = this.#store.find(id);
    if (job === undefined) return undefined;
    const steps = this.#store.steps(id).map(({ value: _, ...step }) => step);
    return { ...job, steps };
  }

  async list({ limit = 100, ...query }: JobQuery = {}): Promise<readonly JobInfo[]> {
    return this.#store.list({ ...query, limit });
  }

  async cancel(id: string): Promise<boolean> {
    const job = this.#found(id);
    if (job.state !== 'queued' && job.state !== 'running') return false;
    await this.#change(id, { state: 'cancelled', endedAt: this.#now() });
    this.#running.find(id)?.abort(new JobsError('cancelled', 'The job was cancelled.'));
    return true;
  }

  async retry(id: string): Promise<void> {
    const job = this.#found(id);
    if (job.state !== 'failed' && job.state !== 'cancelled') {
      throw new JobsError(
        'not_retryable',
        `The job is ${job.state}; only a failed or cancelled one is retried.`,
      );
    }
    await this.#running.whenEnded(id);
    await this.#commits.write((writer) => writer.dropUnfinishedSteps(id));
    await this.#change(id, { state: 'queued', endedAt: null, error: null });
    this.#enqueue(job);
  }

  prune(endedBefore: number): Promise<number> {
    return this.#commits.write((writer) => writer.prune(endedBefore));
  }

  onChange(listener: (job: JobInfo) => void): Disposable {
    return this.#running.onChange(listener);
  }

  /** Lets running steps end, for a while. Jobs go on when the engine is opened again. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closing.signal.aborted) return;
    const reason = new JobsError('closed', 'The engine of the jobs is closed.');
    this.#closing.abort(reason);
    await this.#running.drain(reason, this.#drainMs);
    this.#commits.flush();
    this.#store[Symbol.dispose]();
  }

  #found(id: string): JobInfo {
    const job = this.#store.find(id);
    if (job === undefined) throw new JobsError('unknown_job', `There is no job "${id}".`);
    return job;
  }

  async #add(job: JobInfo): Promise<JobInfo> {
    await this.#commits.write((writer) => writer.add(job));
    this.#running.notify(job);
    this.#enqueue(job);
    return job;
  }

  #enqueue({ id, flow, key }: JobHead): void {
    const options = this.#flows.get(flow);
    // Of a program that knows it; it waits until such a one opens the store.
    if (options === undefined) return;
    const launch = () => this.#launch(id, flow, options);
    if (key === undefined) void launch();
    else {
      const { perKey = 1 } = options;
      const width = typeof perKey === 'number' ? perKey : perKey(key);
      this.#lanes.enter(`${flow}\n${key}`, width, launch);
    }
  }

  /** Never rejects: a job that cannot be run is left as it is stored. */
  async #launch(id: string, flow: string, options: FlowOptions): Promise<void> {
    let hasSlot = false;
    try {
      const waiting = this.#found(id);
      // Cancelled while it waited: it takes no turn from others.
      if (waiting.state === 'cancelled') return;
      const isResumed = waiting.startedAt !== undefined;
      if (!isResumed) await this.#rates.get(flow)?.pass(this.#closing.signal);
      await this.#running.slots.take();
      hasSlot = true;
      this.#closing.signal.throwIfAborted();
      const job = this.#found(id);
      if (job.state === 'cancelled') return;
      const run = new JobRun(job, this.#store.steps(id), this.#portsOf());
      await this.#running.follow(run, this.#run(run, options));
    } catch (error) {
      if (!this.#closing.signal.aborted) this.#onFault(error);
    } finally {
      if (hasSlot) this.#running.slots.release();
    }
  }

  async #run(run: JobRun, { run: flow }: FlowOptions): Promise<void> {
    const { id, startedAt = this.#now() } = run.job;
    try {
      await this.#change(id, { state: 'running', startedAt });
      const change = await endOf(run, flow, this.#now);
      if (change !== undefined) await this.#change(id, change);
    } catch (error) {
      if (!this.#closing.signal.aborted) this.#onFault(error);
    }
  }

  #portsOf(): RunPorts {
    return {
      journal: {
        put: (job, step) => this.#commits.write((writer) => writer.putStep(job, step)),
        takeSignal: (job, topic, step) =>
          this.#commits.write((writer) => {
            const taken = writer.takeSignal(job, topic);
            // In a list, so that a signal without a value differs from none.
            if (taken) writer.putStep(job, { ...step, value: [taken.value] });
            return taken;
          }),
      },
      now: this.#now,
      suspend: this.#running.suspending(),
      signalled: this.#running.signalled,
    };
  }

  async #change(id: string, change: JobChange): Promise<void> {
    await this.#commits.write((writer) => writer.change(id, change));
    const job = this.#running.isHeard ? this.#store.find(id) : undefined;
    if (job !== undefined) this.#running.notify(job);
  }
}
