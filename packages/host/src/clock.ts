/** Time as data: a test moves it by hand. */
export interface Clock {
  now(): number;
  /** Resolves after that many milliseconds; rejects when the signal fires. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** Calls back after that many milliseconds; disposing it stops the timer. */
  after(milliseconds: number, onDue: () => void): Disposable;
}
