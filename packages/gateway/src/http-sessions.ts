import { randomUUID } from 'node:crypto';
import { isRecord, type JsonObject } from '@errand/wire';
import { ClientQuestions } from './client-questions.ts';
import type { HttpReply } from './http-reply.ts';
import { type ChangingList, listChanged, sessionName } from './protocol.ts';
import { type ClientIdentity, clientSession } from './replica/gateway-client.ts';
import type { SealedSession, SessionSeal } from './replica/session-seal.ts';
import { WatchedResources } from './resource-subscriptions.ts';
import { RunningRequests } from './running-requests.ts';

/** A client of the older era: what must be remembered between its requests. */
export interface HttpSession {
  readonly id: string;
  /** The executor's name for it: the id is the client's secret. */
  readonly name: string;
  readonly protocolVersion: string;
  /** The client that it belongs to, where clients have tokens of their own. */
  readonly client: ClientIdentity | undefined;
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

/** How sessions go on at another replica. */
export interface SharedSessions {
  readonly seal: SessionSeal;
  /** Whether a session was ended somewhere, by its name. */
  hasEnded(name: string): boolean;
  onEnded(name: string): void;
}

/** An id is good for a week, wherever it is presented. */
const sealedMs = 7 * 24 * 60 * 60 * 1000;

/** Characters of what a client says it can do; nobody who means it needs as many. */
const mostCapabilities = 4_096;

/** More open streams of one client than this are forgotten ones. */
const maxStreams = 4;

/** The sessions of the older era, bounded in number and in idle time. */
export class HttpSessions {
  readonly #limits: SessionLimits;
  readonly #now: () => number;
  readonly #shared: SharedSessions | undefined;
  readonly #sessions = new Map<string, HttpSession>();

  constructor(limits: SessionLimits, now: () => number, shared?: SharedSessions) {
    this.#limits = limits;
    this.#now = now;
    this.#shared = shared;
  }

  /** Begins a session in place of the one idle for longest if need be; undefined when all are busy. */
  open(
    protocolVersion: string,
    { clientInfo, capabilities }: JsonObject,
    client?: ClientIdentity,
  ): HttpSession | undefined {
    const suffix = `:${randomUUID().slice(0, 8)}`;
    const facts = {
      name:
        client === undefined ? sessionName(clientInfo, suffix) : clientSession(client.name, suffix),
      protocolVersion,
      capabilities: readCapabilities(capabilities),
      ...(client !== undefined && { client: client.name }),
      ...(client?.subject !== undefined && { subject: client.subject }),
      begunAt: Date.now(),
    };
    return this.#begin(this.#shared?.seal.seal(facts) ?? randomUUID(), facts);
  }

  #begin(id: string, facts: SealedSession) {
    const { name, protocolVersion, capabilities, client, subject } = facts;
    if (this.#sessions.size >= this.#limits.most && !this.#makeRoom()) return undefined;
    const watched = new WatchedResources((line) => tell(session, line));
    const session: HttpSession = {
      id,
      name,
      protocolVersion,
      client: client === undefined ? undefined : { name: client, ...(subject && { subject }) },
      running: new RunningRequests(),
      capabilities,
      questions: new ClientQuestions(),
      streams: new Set(),
      watched,
      missed: new Set(),
      lastUsedAt: this.#now(),
    };
    this.#sessions.set(session.id, session);
    return session;
  }

  /** The session of a client; one that began at another replica goes on here. */
  find(id: string, client?: ClientIdentity): HttpSession | undefined {
    const session = this.#sessions.get(id) ?? this.#fromElsewhere(id);
    // An id is a secret of its client, but a token decides.
    if (session === undefined || !isSame(session.client, client)) return undefined;
    const now = this.#now();
    if (!isBusy(session) && now - session.lastUsedAt > this.#limits.idleMs) {
      this.close(session);
      return undefined;
    }
    session.lastUsedAt = now;
    return session;
  }

  #fromElsewhere(id: string): HttpSession | undefined {
    const sealed = this.#shared?.seal.open(id);
    if (sealed === undefined || this.#shared?.hasEnded(sealed.name)) return undefined;
    return Date.now() - sealed.begunAt > sealedMs ? undefined : this.#begin(id, sealed);
  }

  /** Ends a session for good, at every replica. */
  end(session: HttpSession): void {
    this.close(session);
    this.#shared?.onEnded(session.name);
  }

  /** Ends what is here of a session that was ended at another replica. */
  closeNamed(name: string): void {
    for (const session of [...this.#sessions.values()]) {
      if (session.name === name) this.close(session);
    }
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

/** Kept for as long as the session, and part of its id, which has to fit into a header. */
function readCapabilities(given: unknown): JsonObject {
  return isRecord(given) && JSON.stringify(given).length <= mostCapabilities ? given : {};
}

function isSame(a: ClientIdentity | undefined, b: ClientIdentity | undefined): boolean {
  return a?.name === b?.name && a?.subject === b?.subject;
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
