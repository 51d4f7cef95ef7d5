import type { IncomingMessage } from 'node:http';
// Not those of a window, which a program inside Electron would get: they cannot be `unref`ed.
import { clearTimeout, setTimeout } from 'node:timers';

/** How long a socket is held for a server that has nothing more to say on it, and does not end. */
const lingerMs = 2000;

/** Does something when a server has lingered, unless the returned function is called before. */
export function afterLingering(act: () => void): () => void {
  const timer = setTimeout(act, lingerMs);
  timer.unref();
  return () => clearTimeout(timer);
}

/** Reads the rest of a body that nobody wants, so that its socket can be used again; cuts one that does not end. */
export function discard(body: IncomingMessage): void {
  body.once(
    'close',
    afterLingering(() => body.destroy()),
  );
  body.resume();
}
