// Not those of a window, which a program inside Electron would get: they cannot be `unref`ed.
import { clearTimeout, setTimeout } from 'node:timers';

/** Waits, but keeps no program alive for it; rejects when the signal fires. */
export function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, milliseconds);
    timer.unref();
    signal.addEventListener('abort', abort, { once: true });
  });
}
