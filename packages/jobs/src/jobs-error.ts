import type { JobFailure } from './job-engine.ts';

/** Why the engine, or a step of a job, failed. */
export type JobsErrorCode =
  /** No flow has that name. */
  | 'unknown_flow'
  /** No job has that id. */
  | 'unknown_job'
  /** The job has neither failed nor been cancelled. */
  | 'not_retryable'
  /** An input or a result cannot be stored as JSON. */
  | 'not_json'
  /** An input or a result is too large to be stored. */
  | 'too_large'
  /** A step that must not happen twice was cut off by the end of a program. */
  | 'interrupted'
  /** Somebody cancelled the job. */
  | 'cancelled'
  /** The engine is closed. */
  | 'closed'
  /** The file or the tables were made by a newer version. */
  | 'newer_file'
  /** Another program has the file open. */
  | 'in_use'
  /** The file is no database, or a broken one. */
  | 'damaged_file'
  /** The jobs of the file are in a database now. */
  | 'moved_file'
  /** This program cannot know whether the job is still its own, because it did not reach the database in time. */
  | 'lost'
  /** The database does not answer, or is about to end. */
  | 'database_unavailable'
  /** The database takes no more connections. */
  | 'database_busy'
  /** The database has no room on its disk, or no memory. */
  | 'database_full'
  /** The login has no right to what is needed. */
  | 'database_rights'
  /** The database does not know the login, or there is no such database. */
  | 'database_login'
  /** The database refused a statement. */
  | 'database_failed';

/** A failure of the engine, or of what it was asked to do. */
export class JobsError extends Error {
  readonly code: JobsErrorCode;

  constructor(code: JobsErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'JobsError';
    this.code = code;
  }
}

/** A step's failure as its journal has it. */
export class StepFailed extends Error {
  readonly code: string | undefined;

  constructor({ message, code }: JobFailure, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StepFailed';
    this.code = code;
  }
}

/** What is kept of something thrown. */
export function failureOf(error: unknown): JobFailure {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return { message, ...(typeof code === 'string' && { code }) };
}
