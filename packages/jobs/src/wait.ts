/** The longest that a timer of Node can be. */
const longestTimer = 2 ** 31 - 1;

/** Waits, or rejects with the signal's reason. */
export async function wait(ms: number, signal: AbortSignal): Promise<void> {
  const until = performance.now() + ms;
  for (let left = ms; left > 0; left = until - performance.now()) {
    await timer(Math.min(left, longestTimer), signal);
  }
  signal.throwIfAborted();
}

function timer(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const end = () => {
      clearTimeout(running);
      reject(signal.reason);
    };
    const running = setTimeout(() => {
      signal.removeEventListener('abort', end);
      resolve();
    }, Math.ceil(ms));
    signal.addEventListener('abort', end, { once: true });
  });
}
