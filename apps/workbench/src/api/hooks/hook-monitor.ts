import type { HookEngineEvent, HookRun } from '@errand/hooks';
import { Throttle } from '@errand/workspace/events';
import type { HookRunBrief, WorkbenchEvent } from '../../contract.ts';
import { warnOfFault } from '../events/event-log.ts';
import type { VaultServices } from '../workbench-ports.ts';

/** Runs in one event; with more, pages read the list again. */
const mostRuns = 50;

/** Publishes what changes about hooks and their runs to pages, at most so often. */
export class HookMonitor implements Disposable {
  readonly #throttle = new Throttle(warnOfFault);
  readonly #feed: (event: WorkbenchEvent) => void;
  readonly #changed = new Map<string, HookRun>();
  readonly #unsubscribe: (() => void) | undefined;

  constructor(services: VaultServices | undefined, feed: (event: WorkbenchEvent) => void) {
    this.#feed = feed;
    this.#unsubscribe = services?.serviceEvents.subscribe(({ service, event }) => {
      if (service === 'hooks') this.#follow(event as unknown as HookEngineEvent);
    });
  }

  [Symbol.dispose](): void {
    this.#unsubscribe?.();
    this.#throttle[Symbol.dispose]();
  }

  #follow(event: HookEngineEvent): void {
    if (event.kind === 'hooks-changed') {
      this.#throttle.run('hooks', () => this.#feed({ kind: 'hooks-changed' }));
    } else if (event.kind === 'run-changed') {
      this.#changed.delete(event.run.id);
      this.#changed.set(event.run.id, event.run);
      if (this.#changed.size > 2 * mostRuns) this.#forgetOldest();
      this.#throttle.run('runs', () => this.#publishRuns());
    }
  }

  /** One more than is published is kept, so that it is seen that there were more. */
  #forgetOldest(): void {
    for (const id of [...this.#changed.keys()].slice(0, -mostRuns - 1)) this.#changed.delete(id);
  }

  #publishRuns(): void {
    const runs = [...this.#changed.values()].map(briefRun);
    this.#changed.clear();
    this.#feed({ kind: 'hook-runs-changed', runs: runs.slice(-mostRuns) });
    if (runs.length > mostRuns) this.#feed({ kind: 'hooks-changed' });
  }
}

/** A run without what it read and wrote. A log may come with a stranger's vault: a message may be anything. */
export function briefRun(run: HookRun): HookRunBrief {
  const { id, hookId, hookName, status, event, startedAt, endedAt = null } = run;
  const said: unknown = run.message ?? run.actions.find(({ message }) => message)?.message;
  return {
    id,
    hookId,
    hookName,
    status,
    event: String(event.kind),
    startedAt,
    endedAt: typeof endedAt === 'number' ? endedAt : null,
    message: typeof said === 'string' ? said.slice(0, 500) : null,
  };
}
