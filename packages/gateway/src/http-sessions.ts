import { randomUUID } from 'node:crypto';
import { isRecord, type JsonObject } from '@errand/wire';
import { ClientQuestions } from './client-questions.ts';
import type { HttpReply } from './http-reply.ts';
import { type ChangingList, listChanged, sessionName } from './protocol.ts';
import { WatchedResources } from './resource-subscriptions.ts';
import { RunningRequests } from './running-requests.ts';

/** A client of the older era: what must be remembered between its requests. */
export interface HttpSession {
  readonly id: string;
  /** The executor's name for it: the id is the client's secret. */
  readonly name: string;
  readonly protocolVersion: string;
  readonly running: RunningRequests;
  /** What the client says it can do. */
  readonly capabilities: JsonObject;
  readonly questions: ClientQuestions;
  /** Open `GET` streams; messages go to the newest. */
  readonly streams: Set<HttpReply>;
  readonly watched: WatchedResources;
  /** What it was to be told while no stream was open. */
  readonly missed: Set<string>;
  lastUsedAt: number;
}

export interface SessionLimits {
  readonly most: number;
  readonly idleMs: number;
}

/** More open streams of one client than this are forgotten ones. */
const maxStreams = 4;

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
  open(protocolVersion: string, { clientInfo, capabilities }: JsonObject): HttpSession | undefined {
    if (this.#sessions.size >= this.#limits.most && !this.#makeRoom()) return undefined;
    const watched = new WatchedResources((line) => tell(session, line));
    const session: HttpSession = {
      id: randomUUID(),
      name: sessionName(clientInfo, `:${randomUUID().slice(0, 8)}`),
      protocolVersion,
      running: new RunningRequests(),
      capabilities: isRecord(capabilities) ? capabilities : {},
      questions: new ClientQuestions(),
      streams: new Set(),
      watched,
      missed: new Set(),
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
  close(session: HttpSession, reason?: unknown): void {
    this.#sessions.delete(session.id);
    session.running.cancelAll(reason);
    session.questions.close();
    session.watched[Symbol.dispose]();
    for (const stream of session.streams) stream.end(undefined);
  }

  closeAll(reason: unknown): void {
    for (const session of this.#sessions.values()) this.close(session, reason);
  }

  /** Adds a stream for messages that belong to no request. */
  addStream(session: HttpSession, stream: HttpReply): void {
    const { streams } = session;
    const [oldest] = streams.add(stream);
    if (streams.size > maxStreams && oldest !== undefined) {
      streams.delete(oldest);
      oldest.end(undefined);
    }
    for (const line of session.missed) stream.notify(line);
    session.missed.clear();
  }

  /** Tells every client that a list has changed, now or when it listens. */
  announceChange(list: ChangingList): void {
    for (const session of this.#sessions.values()) tell(session, listChanged[list]);
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
  return running.size > 0 || streams.size > 0;
}

/** Tells a client something that belongs to no request, now or when it listens. */
function tell(session: HttpSession, line: string): void {
  const stream = [...session.streams].at(-1);
  if (stream === undefined) session.missed.add(line);
  else stream.notify(line);
}
