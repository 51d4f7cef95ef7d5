import type { Flow, JobInfo, JobLoad } from './job-engine.ts';
import type { JobRun, RunPorts } from './job-run.ts';
import type { JobChange } from './job-store.ts';
import { failureOf, type JobsError } from './jobs-error.ts';
import { jsonValue } from './json-value.ts';
import { Slots } from './limits.ts';

/** The jobs that run in this process, whichever engine keeps them: how many work, their ends and signals, and who hears of them. */
export class RunningJobs {
  readonly slots: Slots;
  readonly #concurrency: number;
  readonly #runs = new Map<string, { readonly run: JobRun; readonly ended: Promise<void> }>();
  readonly #signals = new EventTarget();
  readonly #listeners = new Set<(job: JobInfo) => void>();

  constructor(concurrency = 25) {
    this.#concurrency = concurrency;
    this.slots = new Slots(concurrency);
  }

  get load(): JobLoad {
    const concurrency = this.#concurrency;
    return { jobs: this.#runs.size, working: concurrency - this.slots.free, concurrency };
  }

  get isHeard(): boolean {
    return this.#listeners.size > 0;
  }

  get all(): readonly JobRun[] {
    return [...this.#runs.values()].map(({ run }) => run);
  }

  has(id: string): boolean {
    return this.#runs.has(id);
  }

  find(id: string): JobRun | undefined {
    return this.#runs.get(id)?.run;
  }

  /** Resolves when a job does not run here any more. */
  async whenEnded(id: string): Promise<void> {
    await this.#runs.get(id)?.ended;
  }

  /** Counts a run among those of this process until its work, which never rejects, has ended. */
  async follow(run: JobRun, work: Promise<void>): Promise<void> {
    this.#runs.set(run.id, { run, ended: work });
    await work;
    if (this.#runs.get(run.id)?.run === run) this.#runs.delete(run.id);
  }

  /** Lets running steps end, for a while, and begins no others. */
  async drain(reason: JobsError, drainMs: number): Promise<void> {
    const runs = [...this.#runs.values()];
    for (const { run } of runs) run.leave(reason);
    const patience = setTimeout(() => {
      for (const { run } of runs) run.abort(reason);
    }, drainMs);
    const last = new Promise((resolve) => setTimeout(resolve, drainMs + 1_000).unref());
    await Promise.race([Promise.all(runs.map(({ ended }) => ended)), last]);
    clearTimeout(patience);
  }

  /** A signal for a job may have come. */
  signal(id: string): void {
    this.#signals.dispatchEvent(new Event(id));
  }

  readonly signalled: RunPorts['signalled'] = (id, signal) =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted();
      this.#signals.addEventListener(id, () => resolve(), { once: true, signal });
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });

  /** Gives a job's place to others while it only waits. `onFree` hears that there is one. */
  suspending(onFree: () => void = () => undefined): RunPorts['suspend'] {
    return async (waiting) => {
      this.slots.release();
      onFree();
      try {
        return await waiting();
      } finally {
        await this.slots.take();
      }
    };
  }

  onChange(listener: (job: JobInfo) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  notify(job: JobInfo): void {
    for (const listener of [...this.#listeners]) listener(job);
  }
}

/** Runs a flow to its end; nothing when it was cut off, which is no end, or cancelled, which is one whatever came of it. */
export async function endOf(
  run: JobRun,
  flow: Flow,
  now: () => number,
): Promise<JobChange | undefined> {
  let change: JobChange;
  try {
    const result = jsonValue(await flow(run.job.input, run.context), 'The result of a job');
    change = { state: 'done', result, endedAt: now() };
  } catch (error) {
    change = { state: 'failed', error: failureOf(error), endedAt: now() };
  }
  const isCutOff = run.signal.aborted || (run.hasLeft && change.state === 'failed');
  return isCutOff ? undefined : change;
}
