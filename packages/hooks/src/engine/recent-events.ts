import type { HookEvent } from '../hook-event.ts';
import type { TriggerKind } from '../hook-schema.ts';

const mostIds = 20_000;
const keptOfKind = 50;

/** The last events of each kind, and the ids of many more, so that each counts once. */
export class RecentEvents {
  readonly #ids = new Set<string>();
  readonly #byKind = new Map<TriggerKind, HookEvent[]>();

  /** False when the event is known. */
  add(event: HookEvent): boolean {
    if (this.#ids.has(event.id)) return false;
    this.#ids.add(event.id);
    if (this.#ids.size > mostIds) {
      const [oldest = ''] = this.#ids;
      this.#ids.delete(oldest);
    }
    const same = this.#byKind.get(event.kind) ?? [];
    this.#byKind.set(event.kind, same);
    same.push(event);
    if (same.length > keptOfKind) same.shift();
    return true;
  }

  /** The event is not known any more. */
  forget({ id, kind }: HookEvent): void {
    this.#ids.delete(id);
    const others = this.#byKind.get(kind)?.filter((event) => event.id !== id) ?? [];
    this.#byKind.set(kind, others);
  }

  /** The newest first. */
  of(kind: TriggerKind): readonly HookEvent[] {
    return (this.#byKind.get(kind) ?? []).toReversed();
  }
}
