import { randomUUID } from 'node:crypto';
import type { HttpReply } from './http-reply.ts';
import { sessionName } from './protocol.ts';
import { RunningRequests } from './running-requests.ts';

/** A client of the older era: what must be remembered between its requests. */
export interface HttpSession {
  readonly id: string;
  /** The executor's name for it: the id is the client's secret. */
  readonly name: string;
  readonly protocolVersion: string;
  readonly running: RunningRequests;
  /** Open `GET` streams; messages go to the newest. */
  readonly streams: HttpReply[];
  lastUsedAt: number;
}

export interface SessionLimits {
  readonly most: number;
  readonly idleMs: number;
}

/** The sessions of the older era, bounded in number and in idle time. */
export class HttpSessions {
  readonly #limits: SessionLimits;
  readonly #now: () => number;
  readonly #sessions = new Map<string, HttpSession>();

  constructor(limits: SessionLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
  }

  /** Begins a session in place of the one idle for longest if need be; undefined when all are busy. */
  open(protocolVersion: string, clientInfo: unknown): HttpSession | undefined {
    if (this.#sessions.size >= this.#limits.most && !this.#makeRoom()) return undefined;
    const session: HttpSession = {
      id: randomUUID(),
      name: sessionName(clientInfo, `:${randomUUID().slice(0, 8)}`),
      protocolVersion,
      running: new RunningRequests(),
      streams: [],
      lastUsedAt: this.#now(),
    };
    this.#sessions.set(session.id, session);
    return session;
  }

  find(id: string): HttpSession | undefined {
    const session = this.#sessions.get(id);
    if (session === undefined) return undefined;
    const now = this.#now();
    if (!isBusy(session) && now - session.lastUsedAt > this.#limits.idleMs) {
      this.close(session);
      return undefined;
    }
    session.lastUsedAt = now;
    return session;
  }

  /** Ends a session: its calls are cancelled and its streams end. */
  close(session: HttpSession): void {
    this.#sessions.delete(session.id);
    session.running.cancelAll();
    for (const stream of session.streams) stream.end(undefined);
  }

  all(): Iterable<HttpSession> {
    return this.#sessions.values();
  }

  #makeRoom(): boolean {
    let oldest: HttpSession | undefined;
    for (const session of this.#sessions.values()) {
      if (isBusy(session)) continue;
      if (oldest === undefined || session.lastUsedAt < oldest.lastUsedAt) oldest = session;
    }
    if (oldest !== undefined) this.close(oldest);
    return oldest !== undefined;
  }
}

function isBusy({ running, streams }: HttpSession): boolean {
  return running.size > 0 || streams.length > 0;
}
