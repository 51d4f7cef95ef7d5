import type { Clock } from '@errand/host';
import type { ActionReach } from '../hook-chain.ts';
import type { Chain } from '../hook-event.ts';

/** How long after an action what happens is still taken for its effect, in milliseconds. */
const aftermath = 2_000;
/** How long an ended action is remembered: files are looked at when nobody has written them for a while. */
const memory = 60_000;
const mostChains = 1_000;
const idPattern = /^[\w-]{1,64}$/;

/** Finds the chain of an event that carries only the id of its chain, or only a time. */
export class ChainTracker {
  readonly #clock: Pick<Clock, 'monotonic' | 'now'>;
  readonly #actions = new Set<TrackedAction>();
  readonly #chains = new Map<string, Chain>();

  constructor(clock: Pick<Clock, 'monotonic' | 'now'>) {
    this.#clock = clock;
  }

  /** An action begins; disposing of the answer says that it has ended. */
  begin(chain: Chain, reach: ActionReach = {}): Disposable {
    const startedAt = this.#clock.monotonic();
    const action: TrackedAction = { chain, reach, startedAt };
    this.#forgetOld(startedAt);
    this.#actions.add(action);
    this.#remember(chain);
    return {
      [Symbol.dispose]: () => {
        action.ended ??= { at: this.#clock.monotonic(), time: this.#clock.now() };
      },
    };
  }

  /** The chain with an id; undefined for what cannot be one. */
  byId(id: string): Chain | undefined {
    if (!idPattern.test(id)) return undefined;
    // A chain from before a restart has at least the run that wrote its id.
    return this.#chains.get(id) ?? { id, depth: 1, hooks: [] };
  }

  /** The chain of a change of a file that was noticed at a monotonic time, when an action may have caused it. */
  ofFile(path: string, noticed: Noticed): Chain | undefined {
    return this.#of(noticed, ({ mayWrite = () => true }) => mayWrite(path));
  }

  /** The chain of a change of the repository, when an action may have caused it. */
  ofRepository(noticed: Noticed): Chain | undefined {
    return this.#of(noticed, ({ mayChangeRepository = true }) => mayChangeRepository);
  }

  /**
   * Of several actions the last of the deepest gives the chain, and the hooks of all count as run: which of them it
   * was cannot be known, and a loop must end.
   */
  #of({ at, changedAt }: Noticed, reaches: (reach: ActionReach) => boolean): Chain | undefined {
    let found: Chain | undefined;
    const hooks = new Set<string>();
    for (const { chain, reach, startedAt, ended } of this.#actions) {
      if (at < startedAt || (ended !== undefined && at > ended.at + aftermath)) continue;
      // What has ended with all that it started cannot have made a later change.
      const isLater =
        ended !== undefined && changedAt !== undefined && Math.floor(changedAt) > ended.time;
      if ((isLater && reach.leavesNothing) || !reaches(reach)) continue;
      for (const hook of chain.hooks) hooks.add(hook);
      if (found === undefined || chain.depth >= found.depth) found = chain;
    }
    return found && { ...found, hooks: [...hooks], isAssumed: true };
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
      if (action.ended !== undefined && now > action.ended.at + memory) {
        this.#actions.delete(action);
      }
    }
  }
}

/** When a change was noticed, as monotonic time, and when it was made, in milliseconds since 1970, if that is known. */
interface Noticed {
  readonly at: number;
  readonly changedAt?: number | undefined;
}

interface TrackedAction {
  readonly chain: Chain;
  readonly reach: ActionReach;
  readonly startedAt: number;
  ended?: { readonly at: number; readonly time: number };
}
