// The global ones are a browser's in an Electron renderer.
import { clearTimeout, setTimeout } from 'node:timers';
import type { Host } from '../create-host.ts';

/** A server that hangs keeps the tools of the others back by no more than this. */
const quietMs = 300;
/** While nothing has arrived there is nothing to offer; who asks does not wait for ever either. */
const mostMs = 10_000;

/**
 * Waits for servers that are being started: until all have arrived or failed, or some have and no other
 * follows. Many clients ask for the tools once and never again. Nothing when there is nothing to wait for.
 */
export function awaitServers(
  { servers, events }: Pick<Host, 'servers' | 'events'>,
  signal: AbortSignal,
): Promise<void> | undefined {
  const runners = () => servers.list().map(({ id }) => servers.runner(id));
  const countStarting = () => runners().filter(({ state }) => isStarting(state)).length;
  const hasArrivals = () => runners().some(({ live }) => live !== undefined);
  let starting = countStarting();
  if (starting === 0) return undefined;
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      stopListening();
      signal.removeEventListener('abort', finish);
      resolve();
    };
    let timer = setTimeout(finish, hasArrivals() ? quietMs : mostMs);
    const stopListening = events.subscribe(({ kind }) => {
      if (kind !== 'server-changed' && kind !== 'settings-changed') return;
      const left = countStarting();
      if (left === 0) finish();
      else if (left < starting && hasArrivals()) {
        clearTimeout(timer);
        timer = setTimeout(finish, quietMs);
      }
      starting = left;
    });
    signal.addEventListener('abort', finish, { once: true });
  });
}

/** A server that was lost comes back in its own time; those who know its tools need not wait for it. */
function isStarting({ phase, isRetry, isRecovering }: Started): boolean {
  return phase === 'connecting' && !isRetry && !isRecovering;
}

type Started = ReturnType<Host['servers']['runner']>['state'];
