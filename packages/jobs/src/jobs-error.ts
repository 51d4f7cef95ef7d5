import type { JobFailure } from './job-engine.ts';

export type JobsErrorCode =
  | 'unknown_flow'
  | 'unknown_job'
  | 'not_retryable'
  | 'not_json'
  | 'too_large'
  | 'interrupted'
  | 'cancelled'
  | 'closed'
  | 'newer_file'
  | 'in_use'
  | 'damaged_file';

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
