export type {
  Flow,
  FlowContext,
  FlowOptions,
  JobDetails,
  JobEngine,
  JobFailure,
  JobInfo,
  JobQuery,
  JobState,
  Json,
  SharedCounts,
  SharedJobEngine,
  StartOptions,
  StepInfo,
  StepOptions,
} from './job-engine.ts';
export { JobsError, type JobsErrorCode, StepFailed } from './jobs-error.ts';
export { memoryStore } from './memory-store.ts';
export { hasSqlite, sqliteStore } from './sqlite-store.ts';
export { type JobsOptions, StoredJobs } from './stored-jobs.ts';
