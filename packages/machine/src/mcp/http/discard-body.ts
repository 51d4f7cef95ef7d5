import type { IncomingMessage } from 'node:http';
// Node's own: the global timers of an Electron renderer have no `unref`.
import { clearTimeout, setTimeout } from 'node:timers';

/** How long a response that should have ended may stay open. */
const gracePeriodMs = 2000;

/** Runs the action after the grace period, unless the returned function cancels it. */
export function afterGracePeriod(act: () => void): () => void {
  const timer = setTimeout(act, gracePeriodMs);
  timer.unref();
  return () => clearTimeout(timer);
}

/** Drains an unwanted body so that its socket can be reused; destroys one that does not end in time. */
export function discardBody(body: IncomingMessage): void {
  body.once(
    'close',
    afterGracePeriod(() => body.destroy()),
  );
  body.resume();
}
