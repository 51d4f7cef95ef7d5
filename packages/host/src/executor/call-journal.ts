import type { CallAttempt } from '../call-log.ts';

/** What is noted about a call while it is on its way; the outcome and the log are made from it. */
export interface CallJournal {
  readonly serverName: string;
  /** As they were sent, typed. */
  parameters?: Readonly<Record<string, unknown>>;
  /** When it first left the queue; the deadline runs from here. */
  startedAt?: number;
  approval?: 'given' | 'denied';
  readonly attempts: CallAttempt[];
}
