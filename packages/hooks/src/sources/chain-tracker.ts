import type { Clock } from '@errand/host';
import type { Chain } from '../hook-event.ts';

/** How long after an action what happens is still taken for its effect, in milliseconds. */
const aftermath = 2_000;
/** How long an ended action is remembered: files are looked at when nobody has written them for a while. */
const memory = 60_000;
const mostChains = 1_000;
const idPattern = /^[\w-]{1,64}$/;

/** Finds the chain of an event that carries only the id of its chain, or only a time. */
export class ChainTracker {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #actions = new Set<TrackedAction>();
  readonly #chains = new Map<string, Chain>();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** An action begins; disposing of the answer says that it has ended. */
  begin(chain: Chain, mayWrite: (path: string) => boolean = () => true): Disposable {
    const startedAt = this.#clock.monotonic();
    const action: TrackedAction = { chain, mayWrite, startedAt, endedAt: undefined };
    this.#forgetOld(startedAt);
    this.#actions.add(action);
    this.#remember(chain);
    return {
      [Symbol.dispose]: () => {
        action.endedAt ??= this.#clock.monotonic();
      },
    };
  }

  /** The chain with an id; undefined for what cannot be one. */
  byId(id: string): Chain | undefined {
    if (!idPattern.test(id)) return undefined;
    // A chain from before a restart has at least the run that wrote its id.
    return this.#chains.get(id) ?? { id, depth: 1, hooks: [] };
  }

  /**
   * The chain of what happened at a monotonic time, to this file if one is named, when an action may have caused it.
   * Of several actions the last of the deepest gives the chain, and the hooks of all count as run: which of them it
   * was cannot be known, and a loop must end.
   */
  at(time: number, path?: string): Chain | undefined {
    let found: Chain | undefined;
    const hooks = new Set<string>();
    for (const { chain, mayWrite, startedAt, endedAt } of this.#actions) {
      if (time < startedAt || (endedAt !== undefined && time > endedAt + aftermath)) continue;
      if (path !== undefined && !mayWrite(path)) continue;
      for (const hook of chain.hooks) hooks.add(hook);
      if (found === undefined || chain.depth >= found.depth) found = chain;
    }
    return found && { ...found, hooks: [...hooks] };
  }

  #remember(chain: Chain): void {
    const known = this.#chains.get(chain.id);
    this.#chains.delete(chain.id);
    this.#chains.set(chain.id, known !== undefined && known.depth > chain.depth ? known : chain);
    for (const id of this.#chains.keys()) {
      if (this.#chains.size <= mostChains) break;
      this.#chains.delete(id);
    }
  }

  #forgetOld(now: number): void {
    for (const action of this.#actions) {
      if (action.endedAt !== undefined && now > action.endedAt + memory) {
        this.#actions.delete(action);
      }
    }
  }
}

interface TrackedAction {
  readonly chain: Chain;
  readonly mayWrite: (path: string) => boolean;
  readonly startedAt: number;
  endedAt: number | undefined;
}
