import { neededFields } from '../definitions/context-fields.ts';
import { triggerMatches } from '../definitions/trigger-matches.ts';
import type { HookEvent } from '../hook-event.ts';
import type { Hook, TriggerKind } from '../hook-schema.ts';

/** A hook with what an event needs to be compared with. */
export interface IndexedHook {
  readonly hook: Hook;
  readonly needed: ReadonlySet<string>;
}

/** Hooks by id and by what makes them run, so that an event is compared with few of them. */
export class HookIndex {
  readonly #byId = new Map<string, IndexedHook>();
  readonly #byKind = new Map<TriggerKind, IndexedHook[]>();

  constructor(hooks: readonly Hook[]) {
    for (const hook of hooks) {
      const indexed = { hook, needed: neededFields(hook) };
      this.#byId.set(hook.id, indexed);
      if (!hook.enabled) continue;
      const { kind } = hook.trigger;
      const same = this.#byKind.get(kind);
      if (same === undefined) this.#byKind.set(kind, [indexed]);
      else same.push(indexed);
    }
  }

  get hooks(): readonly Hook[] {
    return [...this.#byId.values()].map(({ hook }) => hook);
  }

  find(hookId: string): IndexedHook | undefined {
    return this.#byId.get(hookId);
  }

  /** The enabled hooks that wait for an event. */
  waitingFor(event: HookEvent): readonly IndexedHook[] {
    if (event.hookId !== undefined) {
      const found = this.#byId.get(event.hookId);
      const isFor = found?.hook.enabled && triggerMatches(found.hook.trigger, event);
      return found && isFor ? [found] : [];
    }
    const candidates = this.#byKind.get(event.kind) ?? [];
    return candidates.filter(({ hook }) => triggerMatches(hook.trigger, event));
  }
}
