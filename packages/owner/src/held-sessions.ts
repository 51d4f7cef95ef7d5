import type { SessionControl } from '@errand/host';

/** The sessions of a host as one of several programs uses them. Disposing it closes those that no other uses. */
export interface ProgramSessions extends SessionControl, Disposable {
  /** Keeps a session until this program closes it. */
  hold(sessionId: string): void;
}

/** Counts which programs use a session: it is forgotten when the last of them closes it or leaves. */
export class HeldSessions {
  readonly #sessions: SessionControl;
  readonly #holders = new Map<string, Set<object>>();

  constructor(sessions: SessionControl) {
    this.#sessions = sessions;
  }

  /** The sessions as another program uses them. */
  forProgram(): ProgramSessions {
    const sessions = this.#sessions;
    const holder = {};
    const hold = (id: string) => void this.#holdersOf(id).add(holder);
    const close = (id: string) => {
      const holders = this.#holdersOf(id);
      holders.delete(holder);
      if (holders.size > 0) return;
      this.#holders.delete(id);
      sessions.close(id);
    };
    const held = () => [...this.#holders].flatMap(([id, by]) => (by.has(holder) ? [id] : []));
    return {
      hold,
      usage: (id) => sessions.usage(id),
      used: () => sessions.used(),
      restore: (used) => {
        for (const id of used.keys()) hold(id);
        sessions.restore(used);
      },
      setLimit: (id, limit) => {
        hold(id);
        sessions.setLimit(id, limit);
      },
      suppressWarning: (id) => {
        hold(id);
        sessions.suppressWarning(id);
      },
      reset: (id) => sessions.reset(id),
      close,
      rename: (id, to) => {
        const holders = this.#holdersOf(to);
        for (const each of this.#holdersOf(id)) holders.add(each);
        this.#holders.delete(id);
        sessions.rename(id, to);
      },
      [Symbol.dispose]: () => held().forEach(close),
    };
  }

  #holdersOf(sessionId: string): Set<object> {
    const known = this.#holders.get(sessionId);
    if (known !== undefined) return known;
    const holders = new Set<object>();
    this.#holders.set(sessionId, holders);
    return holders;
  }
}
