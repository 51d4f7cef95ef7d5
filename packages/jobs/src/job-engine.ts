/** A value that can be stored. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json | undefined };

export type JobState = 'queued' | 'running' | 'done' | 'failed' | 'cancelled';

/** Why a job or a step failed. */
export interface JobFailure {
  readonly message: string;
  readonly code?: string;
}

/** A job as it is listed. Times are milliseconds since 1970. */
export interface JobInfo {
  readonly id: string;
  readonly flow: string;
  /** Jobs with one key run in the order in which they were started. */
  readonly key?: string;
  readonly state: JobState;
  readonly input: Json;
  readonly result?: Json;
  readonly error?: JobFailure;
  readonly createdAt: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
}

/** A step as its job's journal has it. */
export interface StepInfo {
  /** Its name in the flow; from its second time on with a number: `send`, `send 2`. */
  readonly name: string;
  /** `started`: its end is not known. `waiting`: for its time, a signal, or its next attempt. */
  readonly state: 'started' | 'waiting' | 'done' | 'failed';
  readonly attempts: number;
  readonly startedAt: number;
  readonly endedAt?: number;
  /** When a waiting step goes on at the latest. */
  readonly dueAt?: number;
  readonly error?: JobFailure;
}

export interface JobDetails extends JobInfo {
  readonly steps: readonly StepInfo[];
}

export interface StepOptions {
  /** Milliseconds before each further attempt; without it a failed step is not tried again. */
  readonly retryAfterMs?: readonly number[];
  /** Whether another attempt may help; without it every failure is worth one. */
  readonly isTransient?: (error: unknown) => boolean;
  /**
   * For steps that must not happen twice: one that was interrupted, so that nobody knows whether it happened,
   * fails with `interrupted` instead of running again.
   */
  readonly once?: boolean;
}

/** What a flow does its work through. Everything else in it runs again after a crash, up to where it was. */
export interface FlowContext {
  readonly id: string;
  /** Aborted when the job is cancelled, and when the engine closes. */
  readonly signal: AbortSignal;
  /** Runs a step and keeps its result, as JSON: once it has ended it never runs again. */
  step<Result>(
    name: string,
    run: (signal: AbortSignal) => Result | Promise<Result>,
    options?: StepOptions,
  ): Promise<Result>;
  /** Waits, also over restarts. A clock that was set back makes it no longer. */
  sleep(ms: number): Promise<void>;
  /** Waits for a signal, also for one that was sent earlier; answers with nothing when the time is over. */
  waitFor(topic: string, timeoutMs?: number): Promise<Json | undefined>;
}

/** What a job does, over steps. */
export type Flow = (input: Json, context: FlowContext) => Promise<unknown>;

/** A flow and how much of it may happen. */
export interface FlowOptions {
  readonly run: Flow;
  /** Jobs with the same key that run at once: 1 unless said otherwise, so in order. Asked when a job is stored. */
  readonly perKey?: number | ((key: string) => number);
  /** At most so many jobs begin in a period. */
  readonly rate?: { readonly limit: number; readonly periodMs: number };
}

export interface StartOptions {
  /** A job with an id that is known is not started again. */
  readonly id?: string;
  readonly key?: string;
}

export interface JobQuery {
  readonly flow?: string;
  readonly state?: JobState;
  /** The newest so many: 100 unless said otherwise. */
  readonly limit?: number;
}

/** How busy an engine is. */
export interface JobLoad {
  /** Jobs that this program has taken. */
  readonly jobs: number;
  /** Those of them that work; the others wait for a time or a signal. */
  readonly working: number;
  readonly concurrency: number;
}

/** What several programs count together, for a day at most. */
export interface SharedCounts {
  /** Counts a member of a key, once; one that came earlier with the time since. */
  add(key: string, member: string, ageMs?: number): Promise<void>;
  /** How many of a key were counted within a time, up to a member and with it; all of them when it is not among them. */
  place(key: string, member: string, withinMs: number): Promise<number>;
}

/** Runs flows so that each step happens as often as it says, whatever becomes of this process. */
export interface JobEngine extends AsyncDisposable {
  readonly load: JobLoad;
  /** Stores a job and runs it when its turn comes; resolves once it is stored. */
  start(flow: string, input: Json, options?: StartOptions): Promise<JobInfo>;
  /** Sends a value to a job, which keeps it until the job waits for it. */
  signal(id: string, topic: string, value?: Json): Promise<void>;
  status(id: string): Promise<JobDetails | undefined>;
  /** Jobs, the newest first. */
  list(query?: JobQuery): Promise<readonly JobInfo[]>;
  /** Ends a job; answers with false when it had ended before. */
  cancel(id: string): Promise<boolean>;
  /** Runs a failed or cancelled job again: finished steps are kept, others run. */
  retry(id: string): Promise<void>;
  /** Forgets jobs that ended before a time. */
  prune(endedBefore: number): Promise<number>;
  /** Calls back after every change of a job, until disposed. */
  onChange(listener: (job: JobInfo) => void): Disposable;
}

/** An engine whose jobs several programs run together. */
export interface SharedJobEngine extends JobEngine {
  /** Runs jobs of further flows from now on. */
  add(flows: Readonly<Record<string, FlowOptions>>): Promise<void>;
  readonly counts: SharedCounts;
}
