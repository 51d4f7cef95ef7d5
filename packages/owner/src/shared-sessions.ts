import type { CountedSession, SessionControl } from '@errand/host';

interface OwnSession {
  readonly limit?: number;
  readonly isWarnedElsewhere?: boolean;
}

/** The sessions that whichever program owns the vault counts; those of this program are made known to every new owner. */
export class SharedSessions implements SessionControl {
  readonly #current: () => SessionControl;
  /** Does something with the sessions of the present owner, and of the next one where that is being looked for. */
  readonly #tell: (work: (sessions: SessionControl) => void) => void;
  readonly #own = new Map<string, OwnSession>();

  constructor(
    current: () => SessionControl,
    tell: (work: (sessions: SessionControl) => void) => void,
  ) {
    this.#current = current;
    this.#tell = tell;
  }

  /** Counts a session among those of this program. */
  use(sessionId: string): void {
    if (!this.#own.has(sessionId)) this.#own.set(sessionId, {});
  }

  /** What this program's sessions have used, for an owner that may not know it. */
  count(): ReadonlyMap<string, CountedSession> {
    const sessions = this.#current();
    // Only a limit that somebody set is passed on; the others follow the settings.
    const { limit: standard } = sessions.usage('');
    const counted = [...this.#own.keys()].map((id) => {
      const { executed, limit } = sessions.usage(id);
      return [id, { executed, ...(limit !== standard && { limit }) }] as const;
    });
    return new Map(counted);
  }

  /** Tells a new owner of this program's sessions. */
  introduce(to: SessionControl, counted: ReadonlyMap<string, CountedSession>): void {
    if (counted.size > 0) to.restore(counted);
    for (const [id, { limit, isWarnedElsewhere }] of this.#own) {
      if (limit !== undefined) to.setLimit(id, limit);
      if (isWarnedElsewhere) to.suppressWarning(id);
    }
  }

  usage(sessionId: string) {
    return this.#current().usage(sessionId);
  }

  used() {
    return this.#current().used();
  }

  restore(used: ReadonlyMap<string, CountedSession>): void {
    this.#tell((sessions) => sessions.restore(used));
  }

  setLimit(sessionId: string, limit: number): void {
    this.#own.set(sessionId, { ...this.#own.get(sessionId), limit });
    this.#tell((sessions) => sessions.setLimit(sessionId, limit));
  }

  suppressWarning(sessionId: string): void {
    this.#own.set(sessionId, { ...this.#own.get(sessionId), isWarnedElsewhere: true });
    this.#tell((sessions) => sessions.suppressWarning(sessionId));
  }

  reset(sessionId: string): void {
    this.#tell((sessions) => sessions.reset(sessionId));
  }

  close(sessionId: string): void {
    this.#own.delete(sessionId);
    this.#tell((sessions) => sessions.close(sessionId));
  }

  rename(sessionId: string, to: string): void {
    const own = this.#own.get(sessionId);
    if (own !== undefined) this.#own.set(to, own);
    this.#own.delete(sessionId);
    this.#tell((sessions) => sessions.rename(sessionId, to));
  }
}
