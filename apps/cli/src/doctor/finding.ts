/** One line of what the doctor says. */
export interface Finding {
  readonly check: string;
  /** A warning is about something that only some people need. */
  readonly status: 'ok' | 'warning' | 'problem';
  readonly message: string;
  /** What to do about it; there whenever something is. */
  readonly remedy?: string;
}
