/** Time as data: a test moves it by hand. */
export interface Clock {
  /** The time of day, in milliseconds; it may be set back. */
  now(): number;
  /** Milliseconds on a clock that nobody sets, for measuring how much time passed. */
  monotonic(): number;
  /** Resolves after that many milliseconds; rejects when the signal fires. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** Calls back after that many milliseconds; disposing it stops the timer. */
  after(milliseconds: number, onDue: () => void): Disposable;
}
