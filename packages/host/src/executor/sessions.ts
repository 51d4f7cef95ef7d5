import { fixedError } from '../fixed-error.ts';
import type { HostError } from '../host-error.ts';
import type { Notifier } from '../notifier.ts';

/** The sessions of a host as faces see them. */
export interface SessionControl {
  usage(sessionId: string): SessionUsage;
  /** Those that made a call, with their usage. */
  used(): ReadonlyMap<string, SessionUsage>;
  /** Sets this session's own limit: a run of many blocks that a person has agreed to, a gateway. */
  setLimit(sessionId: string, limit: number): void;
  /** Suppresses the warning for this session: the face that shows its usage warns instead. */
  suppressWarning(sessionId: string): void;
  /** Counts from zero again; a limit of its own stays. */
  reset(sessionId: string): void;
  /** Forgets a session: its note was closed, its client left. */
  close(sessionId: string): void;
  /** Gives a session another id: its note has another name. */
  rename(sessionId: string, to: string): void;
  /** Takes over what another host counted, where that is more. */
  restore(counted: ReadonlyMap<string, CountedSession>): void;
}

/** What a session has used, and its own limit if it has one. */
export interface CountedSession {
  readonly executed: number;
  readonly limit?: number;
}

interface SessionPorts {
  /** The limit of a session without its own; -1 is unlimited. */
  readonly defaultLimit: () => number;
  readonly notifier: Notifier;
  /** Called after a change of what `usage` says. */
  readonly onChange: (sessionId: string) => void;
}

/** Counts the calls of each session and refuses those beyond its limit. */
export class Sessions implements SessionControl {
  readonly #ports: SessionPorts;
  readonly #sessions = new Map<string, Session>();

  constructor(ports: SessionPorts) {
    this.#ports = ports;
  }

  usage(sessionId: string): SessionUsage {
    const session = this.#sessions.get(sessionId);
    return { executed: session?.executed ?? 0, limit: this.#limitOf(session) };
  }

  used(): ReadonlyMap<string, SessionUsage> {
    const used = [...this.#sessions].filter(([, { executed }]) => executed > 0);
    return new Map(used.map(([id]) => [id, this.usage(id)]));
  }

  restore(counted: ReadonlyMap<string, CountedSession>): void {
    for (const [id, { executed, limit }] of counted) {
      const session = this.#session(id);
      const before = { ...session };
      session.executed = Math.max(session.executed, executed);
      session.limit ??= limit;
      if (session.executed !== before.executed || session.limit !== before.limit) {
        this.#ports.onChange(id);
      }
    }
  }

  setLimit(sessionId: string, limit: number): void {
    const session = this.#session(sessionId);
    if (session.limit === limit) return;
    session.limit = limit;
    this.#ports.onChange(sessionId);
  }

  suppressWarning(sessionId: string): void {
    this.#session(sessionId).isWarnedElsewhere = true;
  }

  reset(sessionId: string): void {
    const session = this.#session(sessionId);
    session.executed = 0;
    session.isWarned = false;
    this.#ports.onChange(sessionId);
  }

  close(sessionId: string): void {
    if (this.#sessions.delete(sessionId)) this.#ports.onChange(sessionId);
  }

  rename(sessionId: string, to: string): void {
    const session = this.#sessions.get(sessionId);
    if (session === undefined) return;
    this.#sessions.delete(sessionId);
    this.#sessions.set(to, session);
    this.#ports.onChange(sessionId);
    this.#ports.onChange(to);
  }

  /** Reserves room for one call, or throws; starting the call counts it. */
  reserve(sessionId: string): Reservation {
    const session = this.#session(sessionId);
    const limit = this.#limitOf(session);
    if (limit !== -1 && session.executed + session.reserved >= limit) throw limitReached(limit);
    session.reserved += 1;
    let isOpen = true;
    const release = () => {
      if (isOpen) session.reserved -= 1;
      isOpen = false;
    };
    return {
      start: () => {
        if (!isOpen) return;
        release();
        session.executed += 1;
        this.#warn(session);
        this.#ports.onChange(sessionId);
      },
      [Symbol.dispose]: release,
    };
  }

  #warn(session: Session): void {
    const limit = this.#limitOf(session);
    // A limit of its own was chosen knowing the number of calls.
    if (session.limit !== undefined || limit === -1) return;
    if (session.isWarned || session.isWarnedElsewhere) return;
    if (session.executed < limit * warnAt) return;
    session.isWarned = true;
    this.#ports.notifier.notify({
      level: 'warning',
      message: `${session.executed} of ${limit} calls of this session are used`,
      detail: 'Reset the session, or raise mcpSessionLimit in the settings, to make more.',
    });
  }

  #limitOf(session: Session | undefined): number {
    return session?.limit ?? this.#ports.defaultLimit();
  }

  #session(sessionId: string): Session {
    const known = this.#sessions.get(sessionId);
    if (known !== undefined) return known;
    const session: Session = {
      executed: 0,
      reserved: 0,
      isWarned: false,
      isWarnedElsewhere: false,
      limit: undefined,
    };
    this.#sessions.set(sessionId, session);
    return session;
  }
}

export interface SessionUsage {
  readonly executed: number;
  /** -1 is unlimited. */
  readonly limit: number;
}

/** Room for one call; disposing it before the call started gives the room back. */
interface Reservation extends Disposable {
  start(): void;
}

interface Session {
  executed: number;
  reserved: number;
  isWarned: boolean;
  isWarnedElsewhere: boolean;
  limit: number | undefined;
}

const warnAt = 0.8;

function limitReached(limit: number): HostError {
  return fixedError('session_limit', { limit, neverSent: true });
}
