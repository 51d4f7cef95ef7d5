import { randomUUID } from 'node:crypto';
import type {
  ClientSession,
  SessionFailure,
  SessionStatus,
  TransportType,
} from './client-session.ts';
import type { Limits } from './limits.ts';
import type { Logger } from './logger.ts';
import { memoryPressure } from './memory-pressure.ts';

type OpenedSession =
  | { readonly kind: 'opened'; readonly session: Session }
  | { readonly kind: 'refused'; readonly message: string };

interface SessionsOptions {
  readonly limits: Limits;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** The resident memory of this process in bytes. */
  readonly memory: () => number;
  readonly log: Logger;
}

/** How many sessions that failed are remembered. */
const mostFailed = 20;

/** The clients of one server: counted, bounded, and dropped when they have gone quiet. */
export class Sessions {
  readonly #open = new Map<string, Session>();
  readonly #ended: Session[] = [];
  readonly #options: SessionsOptions;
  #isStopping = false;
  #onAnswered: (() => void) | undefined;

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#open.size;
  }

  get isFull(): boolean {
    return this.#open.size >= this.#options.limits.maxClients;
  }

  list(): readonly Session[] {
    return [...this.#open.values()];
  }

  /** The last sessions that ended by an error. */
  get failed(): readonly Session[] {
    return this.#ended;
  }

  /**
   * Admits a client, or says why not. `drop` must end its connection. A brief session is one
   * request of a client that keeps none: it leaves no memory behind, so memory does not bar it.
   */
  open(
    transport: TransportType,
    drop: () => void,
    { isBrief }: { readonly isBrief: boolean } = { isBrief: false },
  ): OpenedSession {
    const { limits, memory, now } = this.#options;
    if (this.#isStopping) return { kind: 'refused', message: 'This server is stopping.' };
    if (this.isFull) this.sweep();
    if (this.isFull) {
      const message = `This server has ${limits.maxClients} clients, its limit. Close one, wait until an idle one is dropped, or raise MCP_MAX_CLIENTS.`;
      return { kind: 'refused', message };
    }
    if (!isBrief && memoryPressure(memory(), limits.memoryLimit) === 'critical') {
      const message = `This server has used up its memory limit of ${limits.memoryLimit} bytes and takes no new clients. Try again later, or raise MCP_MEMORY_LIMIT.`;
      return { kind: 'refused', message };
    }
    const { log } = this.#options;
    const session = new Session({ transport, now, drop, log }, () => this.#onAnswered?.());
    this.#open.set(session.sessionId, session);
    return { kind: 'opened', session };
  }

  /** Admits nobody from now on; the sessions there are take no new requests. */
  stop(): void {
    this.#isStopping = true;
    for (const session of this.#open.values()) session.isStopping = true;
  }

  /** Waits until every request has its answer, but not for ever. */
  async answered(patience: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, patience);
    this.#onAnswered = () => {
      if (this.list().every(({ unanswered }) => unanswered === 0)) resolve();
    };
    this.#onAnswered();
    await promise;
    clearTimeout(timer);
  }

  /** Forgets a session whose connection has ended, by itself or by an error. */
  close(session: Session, error?: Error): void {
    if (!this.#open.delete(session.sessionId)) return;
    session.status = error === undefined ? 'disconnected' : 'error';
    if (error !== undefined) {
      session.failed(error);
      this.#ended.push(session);
      if (this.#ended.length > mostFailed) this.#ended.shift();
    }
    this.#onAnswered?.();
  }

  /** Drops the sessions that are idle for too long, sooner when memory or places are short. */
  sweep(): readonly Session[] {
    const { limits, memory, now } = this.#options;
    const isShort = memoryPressure(memory(), limits.memoryLimit) === 'critical';
    // Many clients leave without a word; when places are short, theirs go first.
    const patience = this.isFull ? Math.min(limits.clientTimeout, 30_000) : limits.clientTimeout;
    const dropped = this.list().filter((session) => {
      if (session.unanswered > 0 || session.transport === 'stdio') return false;
      const idle = now() - session.lastActivity.getTime();
      return isShort ? idle > limits.clientTimeout / 5 : session.streams === 0 && idle > patience;
    });
    for (const session of dropped) {
      this.close(session);
      session.drop();
    }
    return dropped;
  }
}

interface SessionFacts {
  readonly transport: TransportType;
  readonly now: () => number;
  readonly drop: () => void;
  readonly log: Logger;
}

/** One client, with what it has open: a session that waits for an answer or on a stream is not idle. */
export class Session implements ClientSession {
  readonly sessionId = randomUUID();
  readonly transport: TransportType;
  readonly connectionTime: Date;
  readonly drop: () => void;
  capabilities: Readonly<Record<string, unknown>> = {};
  lastActivity: Date;
  status: SessionStatus = 'connected';
  lastError: SessionFailure | undefined;
  isStopping = false;
  streams = 0;
  readonly #now: () => number;
  readonly #log: Logger;
  readonly #onAnswered: () => void;
  #unanswered = 0;

  constructor({ transport, now, drop, log }: SessionFacts, onAnswered: () => void = () => {}) {
    this.transport = transport;
    this.drop = drop;
    this.#now = now;
    this.#log = log;
    this.#onAnswered = onAnswered;
    this.connectionTime = new Date(now());
    this.lastActivity = this.connectionTime;
  }

  /** The requests that wait for their answers. */
  get unanswered(): number {
    return this.#unanswered;
  }

  set unanswered(count: number) {
    this.#unanswered = count;
    if (count === 0) this.#onAnswered();
  }

  /** Notes that something of this client could not be served. */
  failed({ message }: Error): void {
    this.lastError = { message, at: new Date(this.#now()) };
  }

  /** Notes that a request came; what it gives back notes its answer, with the time that it took. */
  begin(method: string, id: unknown): (outcome: 'answered' | 'failed' | 'cancelled') => void {
    const began = this.#now();
    return (outcome) =>
      this.#log.debug(
        {
          session: this.sessionId,
          transport: this.transport,
          method,
          id,
          timestamp: new Date(began).toISOString(),
          ms: this.#now() - began,
          outcome,
        },
        'a message was served',
      );
  }

  touch(): void {
    // A clock that is set back must not make the last activity older than the connection.
    const time = Math.max(this.#now(), this.connectionTime.getTime());
    this.lastActivity = new Date(time);
  }
}
