/** The source of time and timers, so that tests can control it. */
export interface Clock {
  /** The time of day, in milliseconds; it may be set back. */
  now(): number;
  /** A monotonic time in milliseconds, for measuring durations. */
  monotonic(): number;
  /** Resolves after that many milliseconds; rejects when the signal fires. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** Calls back after that many milliseconds; disposing it stops the timer. */
  after(milliseconds: number, onDue: () => void): Disposable;
}
