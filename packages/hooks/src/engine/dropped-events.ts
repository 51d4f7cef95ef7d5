import { randomUUID } from 'node:crypto';
import type { Clock } from '@errand/host';
import type { HookEvent } from '../hook-event.ts';
import type { HookRun } from '../hook-run.ts';
import type { Hook } from '../hook-schema.ts';

/** How long equal drops are counted before they are written as one line. */
const collectFor = 10_000;

interface Dropped {
  readonly hook: Hook;
  readonly reason: string;
  event: HookEvent;
  more: number;
}

/** Writes events that ran no hook although they were meant to: the first at once, a flood of them as a number. */
export class DroppedEvents {
  readonly #clock: Pick<Clock, 'now' | 'after'>;
  readonly #write: (run: HookRun) => void;
  readonly #counted = new Map<string, Dropped>();
  readonly #timers = new Map<string, Disposable>();

  constructor(clock: Pick<Clock, 'now' | 'after'>, write: (run: HookRun) => void) {
    this.#clock = clock;
    this.#write = write;
  }

  add(hook: Hook, event: HookEvent, reason: string): void {
    const key = `${hook.id}\n${reason}`;
    const known = this.#counted.get(key);
    if (known !== undefined) {
      known.more += 1;
      known.event = event;
      return;
    }
    this.#counted.set(key, { hook, reason, event, more: 0 });
    this.#timers.set(
      key,
      this.#clock.after(collectFor, () => this.#tell(key)),
    );
    this.#write(this.#runOf(hook, event, reason));
  }

  /** Writes what was counted, of one hook or of all. */
  flush(hookId?: string): void {
    for (const [key, { hook }] of [...this.#counted]) {
      if ((hookId ?? hook.id) === hook.id) this.#tell(key);
    }
  }

  #tell(key: string): void {
    const dropped = this.#counted.get(key);
    this.#timers.get(key)?.[Symbol.dispose]();
    this.#timers.delete(key);
    this.#counted.delete(key);
    if (dropped === undefined || dropped.more === 0) return;
    const { hook, event, reason, more } = dropped;
    this.#write(this.#runOf(hook, event, `${reason} So were ${more} further events dropped.`));
  }

  #runOf(hook: Hook, event: HookEvent, message: string): HookRun {
    const now = this.#clock.now();
    const chain = event.chain ?? { id: randomUUID(), depth: 0, hooks: [] };
    const facts = { id: randomUUID(), hookId: hook.id, hookName: hook.name, chain, event } as const;
    return { ...facts, status: 'skipped', startedAt: now, endedAt: now, actions: [], message };
  }
}
