// The global ones are a browser's in an Electron renderer.
import { clearTimeout, setTimeout } from 'node:timers';
import type { Host } from '@errand/host';
import { onAbort } from '@errand/wire';

/** The longest time, in milliseconds, that the tools of the others wait for a server that is starting. */
const defaultPatienceMs = 5_000;

/** Lets those who ask for the tools wait for servers that are being started for the first time. */
export class StartingServers {
  readonly #host: Pick<Host, 'servers' | 'events'>;
  readonly #patienceMs: number;
  /** Until when each start is waited for, counted from the first who waits for it. */
  readonly #waitsUntil = new Map<string, { attemptAt: number | undefined; until: number }>();

  constructor(host: Pick<Host, 'servers' | 'events'>, patienceMs = defaultPatienceMs) {
    this.#host = host;
    this.#patienceMs = patienceMs;
  }

  /** Waits until all have arrived or failed, or have had their time. Nothing when there are none. */
  wait(signal: AbortSignal): Promise<void> | undefined {
    this.#startUnused(signal);
    if (this.#remainingMs() <= 0) return undefined;
    return this.#untilStarted(signal);
  }

  /** Listing the tools of a server that connects on use is its first use. */
  #startUnused(signal: AbortSignal): void {
    const { servers } = this.#host;
    const { connect } = servers.settings;
    for (const server of servers.list()) {
      if ((server.connect ?? connect) !== 'on-use' || !server.enabled) continue;
      if (servers.progress(server.id).phase !== 'idle') continue;
      void servers.tools(server.id, signal).catch(() => undefined);
    }
  }

  async #untilStarted(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, this.#remainingMs());
    const unsubscribe = this.#host.events.subscribe(({ kind }) => {
      if (kind !== 'server-changed' && kind !== 'settings-changed') return;
      if (this.#remainingMs() <= 0) resolve();
    });
    using _listening = onAbort(signal, () => resolve());
    await promise;
    clearTimeout(timer);
    unsubscribe();
  }

  /** How long the slowest of the starting servers may still take. */
  #remainingMs(): number {
    const { servers } = this.#host;
    const now = performance.now();
    let latest = now;
    for (const { id } of servers.list()) {
      const { phase, isRecovering, lastAttemptAt } = servers.progress(id);
      // Those who know the tools of a server that was lost need not wait for it to list them.
      if (phase !== 'starting' || isRecovering) this.#waitsUntil.delete(id);
      else latest = Math.max(latest, this.#patienceWith(id, lastAttemptAt, now));
    }
    return latest - now;
  }

  #patienceWith(id: string, attemptAt: number | undefined, now: number): number {
    const known = this.#waitsUntil.get(id);
    if (known !== undefined && known.attemptAt === attemptAt) return known.until;
    const until = now + this.#patienceMs;
    this.#waitsUntil.set(id, { attemptAt, until });
    return until;
  }
}
