// Hand-written because host and page code may not use Node's `addAbortListener`, and the packages for this
// are as short while the hot path of every call goes through here.

/**
 * Calls the listener with the reason when the signal aborts, at once if it already has. Disposing of the
 * answer stops listening.
 */
export function onAbort(
  signal: AbortSignal | undefined,
  listener: (reason: unknown) => void,
): Disposable {
  const abort = () => listener(signal?.reason);
  if (signal?.aborted) abort();
  else signal?.addEventListener('abort', abort, { once: true });
  return { [Symbol.dispose]: () => signal?.removeEventListener('abort', abort) };
}

/** The outcome of a promise, or the reason of the signal if that aborts first; leaves no listener behind. */
export function raceSignal<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const { [Symbol.dispose]: stop } = onAbort(signal, reject);
    work.then(
      (value) => {
        stop();
        resolve(value);
      },
      (error) => {
        stop();
        reject(error);
      },
    );
  });
}
