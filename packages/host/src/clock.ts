/** Time as data: a test moves it by hand. */
export interface Clock {
  now(): number;
  /** Resolves after that many milliseconds; rejects when the signal fires. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}
