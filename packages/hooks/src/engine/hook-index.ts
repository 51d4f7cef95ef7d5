import { neededFields } from '../definitions/context-fields.ts';
import { readField } from '../definitions/read-field.ts';
import { triggerMatches } from '../definitions/trigger-matches.ts';
import type { HookEvent } from '../hook-event.ts';
import type { Hook, Trigger } from '../hook-schema.ts';
import { firstFolder } from '../sources/by-first-folder.ts';

/** A hook with what an event needs to be compared with. */
export interface IndexedHook {
  readonly hook: Hook;
  readonly needed: ReadonlySet<string>;
  readonly position: number;
}

/** Hooks by id and by what makes them run, so that an event is compared with few of them. */
export class HookIndex {
  readonly #byId = new Map<string, IndexedHook>();
  readonly #byKey = new Map<string, IndexedHook[]>();

  constructor(hooks: readonly Hook[]) {
    for (const [position, hook] of hooks.entries()) {
      const indexed = { hook, needed: neededFields(hook), position };
      this.#byId.set(hook.id, indexed);
      if (!hook.enabled) continue;
      for (const key of triggerKeys(hook.trigger)) {
        const same = this.#byKey.get(key);
        if (same === undefined) this.#byKey.set(key, [indexed]);
        else same.push(indexed);
      }
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
    const keys = [event.kind, `${event.kind} ${eventKey(event)}`];
    const candidates = keys.flatMap((key) => this.#byKey.get(key) ?? []);
    const waiting = candidates.filter(({ hook }) => triggerMatches(hook.trigger, event));
    // In the order of the file, whichever keys led to them.
    return waiting.sort((one, other) => one.position - other.position);
  }
}

/** What an event of a trigger has for certain: its kind with a value that tells most others apart, or its kind alone. */
function triggerKeys(trigger: Trigger): readonly string[] {
  const values = keyValues(trigger);
  return values === undefined
    ? [trigger.kind]
    : [...new Set(values)].map((value) => `${trigger.kind} ${value}`);
}

function keyValues(trigger: Trigger): readonly string[] | undefined {
  switch (trigger.kind) {
    case 'file': {
      const folder = firstFolder(trigger.glob);
      return folder === undefined ? undefined : [folder];
    }
    case 'call':
      return trigger.tool === undefined ? undefined : [trigger.tool];
    case 'agent-operation':
      return [trigger.operation];
    case 'git':
    case 'server':
    case 'mail':
      return trigger.events;
    default:
      return undefined;
  }
}

/** The same value of an event. */
function eventKey({ kind, fields }: HookEvent): unknown {
  switch (kind) {
    case 'file': {
      const path = readField(fields, 'file.path') ?? readField(fields, 'filePath');
      return typeof path === 'string' ? path.slice(0, Math.max(path.indexOf('/'), 0)) : undefined;
    }
    case 'call':
      return readField(fields, 'call.tool');
    case 'agent-operation':
      return readField(fields, 'operation');
    default:
      return readField(fields, `${kind}.event`);
  }
}
