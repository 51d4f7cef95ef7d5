import type { FlowContext, JobInfo, Json, StepOptions } from './job-engine.ts';
import type { StoredStep } from './job-store.ts';
import { failureOf, JobsError, StepFailed } from './jobs-error.ts';
import { jsonValue } from './json-value.ts';
import { wait } from './wait.ts';

/** What a run of a job needs of its engine. */
export interface RunPorts {
  readonly journal: Journal;
  readonly now: () => number;
  /** Lets other jobs run while this one only waits. */
  readonly suspend: <Result>(waiting: () => Promise<Result>) => Promise<Result>;
  /** Resolves when a signal for the job may have come. */
  readonly signalled: (job: string, signal: AbortSignal) => Promise<void>;
}

/** Where a run notes its steps. */
export interface Journal {
  put(job: string, step: StoredStep): Promise<void>;
  /** Takes the oldest signal and notes it as the end of the step, in one: a crash between the two would lose it. */
  takeSignal(
    job: string,
    topic: string,
    step: StoredStep,
  ): Promise<{ readonly value: Json } | undefined>;
  /** Resolves when this program may act for its jobs; rejects when they are, or may be, another's. */
  mayAct?(): Promise<void>;
}

/** One job on its way through its flow: finished steps come from the journal, the others happen. */
export class JobRun {
  readonly id: string;
  /** What the flow gets; its methods can be taken out of it. */
  readonly context: FlowContext;
  readonly #job: JobInfo;
  readonly #ports: RunPorts;
  readonly #aborting = new AbortController();
  /** Ends what only waits, and lets no step begin. */
  readonly #leaving = new AbortController();
  readonly #journal: Map<string, StoredStep>;
  readonly #counts = new Map<string, number>();

  constructor(job: JobInfo, journal: readonly StoredStep[], ports: RunPorts) {
    this.id = job.id;
    this.#job = job;
    this.#ports = ports;
    this.#journal = new Map(journal.map((step) => [step.name, step]));
    this.context = {
      id: job.id,
      signal: this.signal,
      step: (...args) => this.#step(...args),
      sleep: (ms) => this.#sleep(ms),
      waitFor: (...args) => this.#waitFor(...args),
    };
  }

  get job(): JobInfo {
    return this.#job;
  }

  get signal(): AbortSignal {
    return this.#aborting.signal;
  }

  /** Whether it goes on no further. */
  get hasLeft(): boolean {
    return this.#leaving.signal.aborted;
  }

  /** Lets steps that run come to their end, and begins no other. */
  leave(reason: JobsError): void {
    this.#leaving.abort(reason);
  }

  /** Ends it where it is. */
  abort(reason: JobsError): void {
    this.#leaving.abort(reason);
    this.#aborting.abort(reason);
  }

  async #step<Result>(
    name: string,
    run: (signal: AbortSignal) => Result | Promise<Result>,
    { retryAfterMs = [], isTransient = () => true, once = false }: StepOptions = {},
  ): Promise<Result> {
    let step = this.#begin(name);
    if (step.state === 'done') return step.value as Result;
    if (step.state === 'failed' && step.error) throw new StepFailed(step.error);
    if (step.state === 'started' && once && step.attempts > 0) {
      const message = 'It was interrupted, and nobody knows whether it happened.';
      throw await this.#fail(step, new JobsError('interrupted', message));
    }
    for (;;) {
      await this.#until(step, retryAfterMs[step.attempts - 1]);
      step = { ...step, state: 'started', attempts: step.attempts + 1 };
      if (once) await this.#put(step);
      await this.#ports.journal.mayAct?.();
      let value: Json;
      try {
        value = jsonValue(await run(this.signal), `The result of the step "${step.name}"`);
      } catch (error) {
        this.signal.throwIfAborted();
        const pause = isTransient(error) ? retryAfterMs[step.attempts - 1] : undefined;
        if (pause === undefined) throw await this.#fail(step, error);
        const dueAt = this.#ports.now() + pause;
        step = { ...step, state: 'waiting', dueAt, error: failureOf(error) };
        await this.#put(step);
        continue;
      }
      await this.#finish(step, value);
      return value as Result;
    }
  }

  async #sleep(ms: number): Promise<void> {
    const known = this.#begin('sleep');
    if (known.state === 'done') return;
    const step = await this.#waitingUntil(known, ms);
    await this.#until(step, ms);
    await this.#finish(step, null);
  }

  async #waitFor(topic: string, timeoutMs?: number): Promise<Json | undefined> {
    const known = this.#begin(`wait for ${topic}`);
    // In a list, so that a signal without a value differs from none.
    if (known.state === 'done') return (known.value as readonly Json[])[0];
    const step = await this.#waitingUntil(known, timeoutMs);
    const late = new AbortController();
    const timer =
      step.dueAt === undefined
        ? undefined
        : wait(this.#left(step, timeoutMs), AbortSignal.any([this.#leaving.signal, late.signal]));
    timer?.catch(() => undefined);
    try {
      for (;;) {
        const stopped = new AbortController();
        const ended = AbortSignal.any([this.#leaving.signal, stopped.signal]);
        // Before looking: one that comes in between would be missed.
        const came = this.#ports.signalled(this.id, ended);
        came.catch(() => undefined);
        try {
          const taken = await this.#takeSignal(step, topic);
          if (taken !== undefined) return taken.value;
          const isLate = await this.#ports.suspend(() =>
            Promise.race([came.then(() => false), ...(timer ? [timer.then(() => true)] : [])]),
          );
          if (!isLate) continue;
        } finally {
          stopped.abort();
        }
        const last = await this.#takeSignal(step, topic);
        if (last !== undefined) return last.value;
        await this.#finish(step, []);
        return undefined;
      }
    } finally {
      late.abort();
    }
  }

  /** The step as the journal has it, or a new one. The same name again is another step. */
  #begin(name: string): StoredStep {
    this.#leaving.signal.throwIfAborted();
    const count = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, count);
    const numbered = count === 1 ? name : `${name} ${count}`;
    const startedAt = this.#ports.now();
    return (
      this.#journal.get(numbered) ?? { name: numbered, state: 'started', attempts: 0, startedAt }
    );
  }

  async #waitingUntil(step: StoredStep, ms: number | undefined): Promise<StoredStep> {
    if (step.state === 'waiting') return step;
    const dueAt = ms === undefined ? undefined : this.#ports.now() + ms;
    const waiting = { ...step, state: 'waiting', ...(dueAt !== undefined && { dueAt }) } as const;
    await this.#put(waiting);
    return waiting;
  }

  /** Waits until a step is due. */
  async #until(step: StoredStep, longest?: number): Promise<void> {
    const left = this.#left(step, longest);
    if (left > 0) await this.#ports.suspend(() => wait(left, this.#leaving.signal));
  }

  /** A clock that was set back makes nothing longer than it was meant to be. */
  #left({ state, dueAt = 0 }: StoredStep, longest = Number.POSITIVE_INFINITY): number {
    return state === 'waiting' ? Math.min(dueAt - this.#ports.now(), longest) : 0;
  }

  async #takeSignal(
    step: StoredStep,
    topic: string,
  ): Promise<{ readonly value: Json } | undefined> {
    this.#leaving.signal.throwIfAborted();
    const ended = { ...step, state: 'done', endedAt: this.#ports.now() } as const;
    return this.#ports.journal.takeSignal(this.id, topic, ended);
  }

  #finish(step: StoredStep, value: Json): Promise<void> {
    const { error: _, dueAt: __, ...kept } = step;
    return this.#put({ ...kept, state: 'done', endedAt: this.#ports.now(), value });
  }

  async #fail(step: StoredStep, error: unknown): Promise<StepFailed> {
    const failure = failureOf(error);
    const { dueAt: _, ...kept } = step;
    await this.#put({ ...kept, state: 'failed', endedAt: this.#ports.now(), error: failure });
    return new StepFailed(failure, { cause: error });
  }

  async #put(step: StoredStep): Promise<void> {
    await this.#ports.journal.put(this.id, step);
    this.#leaving.signal.throwIfAborted();
  }
}
