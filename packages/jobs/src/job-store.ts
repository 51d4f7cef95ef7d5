import type { JobFailure, JobInfo, JobQuery, Json, StepInfo } from './job-engine.ts';

/** A step with what it gave. */
export interface StoredStep extends StepInfo {
  readonly value?: Json;
}

/** What a job is to begin with, and where it stands in line. */
export type JobHead = Pick<JobInfo, 'id' | 'flow' | 'key'>;

export interface JobChange extends Partial<Pick<JobInfo, 'state' | 'startedAt'>> {
  /** Null takes it away. */
  readonly endedAt?: number | null;
  readonly result?: Json | null;
  readonly error?: JobFailure | null;
}

/** Changes that take effect together. */
export interface JobWriter {
  add(job: JobInfo): void;
  change(id: string, change: JobChange): void;
  putStep(job: string, step: StoredStep): void;
  /** Forgets the steps of a job that are not done. */
  dropUnfinishedSteps(job: string): void;
  addSignal(job: string, topic: string, value: Json): void;
  /** Takes the oldest signal. */
  takeSignal(job: string, topic: string): { readonly value: Json } | undefined;
  /** Forgets ended jobs, and answers with how many. */
  prune(endedBefore: number): number;
}

/** Where jobs are kept. */
export interface JobStore extends Disposable {
  find(id: string): JobInfo | undefined;
  steps(id: string): readonly StoredStep[];
  /** The newest first. */
  list(query: JobQuery & { readonly limit: number }): readonly JobInfo[];
  /** Jobs that have not ended, in the order in which they were started. */
  unfinished(): readonly JobHead[];
  /** When jobs of a flow began, since a time. */
  startsSince(flow: string, time: number): readonly number[];
  /** Writes all or nothing; what is written survives a crash if anything does. */
  write<Result>(work: (writer: JobWriter) => Result): Result;
}
