import type { IncomingMessage } from 'node:http';
// Not those of a window, which a program inside Electron would get: they cannot be `unref`ed.
import { clearTimeout, setTimeout } from 'node:timers';

/** How long a socket is held for a server that has nothing more to say on it, and does not end. */
const gracePeriodMs = 2000;

/** Does something when a server has lingered, unless the returned function is called before. */
export function afterGracePeriod(act: () => void): () => void {
  const timer = setTimeout(act, gracePeriodMs);
  timer.unref();
  return () => clearTimeout(timer);
}

/** Reads the rest of a body that nobody wants, so that its socket can be used again; cuts one that does not end. */
export function discardBody(body: IncomingMessage): void {
  body.once(
    'close',
    afterGracePeriod(() => body.destroy()),
  );
  body.resume();
}
