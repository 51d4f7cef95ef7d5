import type { JobEngine } from '@errand/jobs';
import type { MailClock } from './mailroom-ports.ts';

/** How often jobs are looked at that another program may change. */
const lookMs = 500;

/** Resolves when no job of these flows waits or runs any more, or when the signal says so. */
export async function whenIdle(
  jobs: JobEngine,
  flows: readonly string[],
  clock: Pick<MailClock, 'after'>,
  signal: AbortSignal,
): Promise<void> {
  const isBusy = async () => {
    for (const flow of flows) {
      for (const state of ['queued', 'running'] as const) {
        if ((await jobs.list({ flow, state, limit: 1 })).length > 0) return true;
      }
    }
    return false;
  };
  while (!signal.aborted && (await isBusy())) {
    const changed = Promise.withResolvers<void>();
    using _listening = jobs.onChange(() => changed.resolve());
    const stop = () => changed.resolve();
    signal.addEventListener('abort', stop, { once: true });
    using _look = clock.after(lookMs, () => changed.resolve());
    await changed.promise;
    signal.removeEventListener('abort', stop);
  }
}
