export { checkDatabase, type DatabaseCheck } from './check-database.ts';
export type { DatabaseOptions } from './database.ts';
export { databaseFailure, isMendable } from './database-failure.ts';
export { type MovedJobs, moveJobs } from './move-jobs.ts';
export { PostgresJobs, type PostgresJobsOptions } from './postgres-jobs.ts';
