import type { Clock, OnFault } from '@errand/host';
import type { HookRun } from '../hook-run.ts';
import type { Hook } from '../hook-schema.ts';
import type { HookRecord, HookRecordStore, HookRecords } from './engine-ports.ts';

const hour = 3_600_000;
/** Counts are written at most so often; what a crash takes is at most so old. */
const saveEvery = 1_000;

/** What is known of the hooks at run time, written down a moment after it changed. */
export class HookRecordKeeper implements AsyncDisposable {
  readonly #store: HookRecordStore;
  readonly #clock: Pick<Clock, 'now' | 'after'>;
  readonly #onFault: OnFault;
  readonly #records: Map<string, HookRecord>;
  #timer: Disposable | undefined;
  #saving: Promise<void> = Promise.resolve();

  constructor(
    store: HookRecordStore,
    records: HookRecords,
    clock: Pick<Clock, 'now' | 'after'>,
    onFault: OnFault,
  ) {
    this.#store = store;
    this.#clock = clock;
    this.#onFault = onFault;
    this.#records = new Map(Object.entries(records));
  }

  get all(): HookRecords {
    return Object.fromEntries(this.#records);
  }

  of(hookId: string): HookRecord {
    return this.#records.get(hookId) ?? {};
  }

  /** Whether a hook has run as often in the last hour as it may. */
  isExhausted({ id, runsPerHour }: Hook): boolean {
    return this.#lastHour(id).length >= runsPerHour;
  }

  /** A run was started. */
  count(hookId: string): void {
    const now = this.#clock.now();
    const { executionCount = 0 } = this.of(hookId);
    this.#change(hookId, {
      lastExecutedAt: now,
      executionCount: executionCount + 1,
      startedAt: [...this.#lastHour(hookId), now],
    });
  }

  end({ id, hookId, status, actions }: HookRun): void {
    const gone = actions.find(({ code }) => code === 'server_unknown' || code === 'tool_not_found');
    const { problem: _, ...rest } = this.of(hookId);
    this.#records.set(hookId, rest);
    this.#change(hookId, {
      lastRun: { id, status },
      ...(gone?.message !== undefined && { problem: gone.message }),
    });
  }

  pause(hookId: string): void {
    this.#change(hookId, { pausedAt: this.#clock.now() });
  }

  /** Lets a hook run again, as often as if it had not run. */
  resume(hookId: string): void {
    const { pausedAt: _, startedAt: __, ...rest } = this.of(hookId);
    this.#records.set(hookId, rest);
    this.#change(hookId, {});
  }

  /** Forgets hooks that are gone. */
  keepOnly(hookIds: ReadonlySet<string>): void {
    for (const id of this.#records.keys()) {
      if (hookIds.has(id)) continue;
      this.#records.delete(id);
      this.#saveSoon();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#timer !== undefined) this.#save();
    await this.#saving;
  }

  #lastHour(hookId: string): readonly number[] {
    const now = this.#clock.now();
    // A clock that was set back leaves times in the future, which count as long as they are near.
    return (this.of(hookId).startedAt ?? []).filter((at) => Math.abs(now - at) < hour);
  }

  #change(hookId: string, change: HookRecord): void {
    this.#records.set(hookId, { ...this.of(hookId), ...change });
    this.#saveSoon();
  }

  #saveSoon(): void {
    this.#timer ??= this.#clock.after(saveEvery, () => this.#save());
  }

  #save(): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
    this.#saving = this.#saving.then(() => this.#store.save(this.all)).catch(this.#onFault);
  }
}
