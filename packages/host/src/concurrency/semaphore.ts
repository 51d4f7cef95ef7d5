import { onAbort } from '@errand/wire';

/** A waiting call: its server, its session, and whether a person waits for it. */
export interface Waiter {
  readonly serverId: string;
  readonly sessionId: string;
  readonly isPerson: boolean;
}

/** How many may run at once, in all and for one server; -1 is unlimited. */
export interface SemaphoreLimits {
  readonly total: number;
  readonly perServer: number;
}

// `p-limit` knows neither abort signals nor fair shares, and its limit is one number.

/**
 * Bounds how many calls run at once. Free slots go to people first, then round-robin over servers and over the
 * sessions of each, so that neither a long run nor a hung server delays a single call.
 */
export class Semaphore {
  readonly #limits: () => SemaphoreLimits;
  readonly #runningByServer = new Map<string, number>();
  readonly #people = new WaitingLine();
  readonly #others = new WaitingLine();
  #running = 0;

  /** The limits are asked each time, since settings change. */
  constructor(limits: () => SemaphoreLimits) {
    this.#limits = limits;
  }

  /** Acquires a slot, waiting if necessary; returns the function that releases it. */
  enter(waiter: Waiter, signal?: AbortSignal): (() => void) | Promise<() => void> {
    signal?.throwIfAborted();
    const { serverId } = waiter;
    const { total, perServer } = this.#limits();
    // While there is room, only calls of servers that have their share are waiting.
    if (!isBelow(this.#running, total) || !this.#hasShare(serverId, perServer)) {
      return this.#wait(waiter, signal).then(() => this.#holdTurn(serverId));
    }
    this.#count(serverId, 1);
    return this.#holdTurn(serverId);
  }

  /** Fills free slots from the queue; call it when a limit was raised. */
  admit(): void {
    const { total, perServer } = this.#limits();
    const hasShare = (serverId: string) => this.#hasShare(serverId, perServer);
    while (isBelow(this.#running, total)) {
      const next = this.#people.shift(hasShare) ?? this.#others.shift(hasShare);
      if (next === undefined) return;
      this.#count(next.serverId, 1);
      next.turn();
    }
  }

  #holdTurn(serverId: string): () => void {
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#count(serverId, -1);
      this.admit();
    };
  }

  #hasShare(serverId: string, perServer: number): boolean {
    return isBelow(this.#runningByServer.get(serverId) ?? 0, perServer);
  }

  #count(serverId: string, change: 1 | -1): void {
    this.#running += change;
    const running = (this.#runningByServer.get(serverId) ?? 0) + change;
    if (running === 0) this.#runningByServer.delete(serverId);
    else this.#runningByServer.set(serverId, running);
  }

  async #wait(waiter: Waiter, signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const line = waiter.isPerson ? this.#people : this.#others;
    line.push(waiter, resolve);
    using _listening = onAbort(signal, (reason) => {
      line.delete(waiter, resolve);
      reject(reason);
    });
    await promise;
  }
}

function isBelow(count: number, limit: number): boolean {
  return limit === -1 || count < limit;
}

type Turn = () => void;

/** Servers in the order of their next turn, each with its sessions in that order, each with its calls in order. */
class WaitingLine {
  readonly #servers = new Map<string, Map<string, Set<Turn>>>();

  push({ serverId, sessionId }: Waiter, turn: Turn): void {
    const sessions = this.#servers.get(serverId) ?? new Map<string, Set<Turn>>();
    this.#servers.set(serverId, sessions);
    sessions.set(sessionId, (sessions.get(sessionId) ?? new Set()).add(turn));
  }

  /** Takes out the next turn of a server that may have one. */
  shift(
    mayRun: (serverId: string) => boolean,
  ): { readonly serverId: string; readonly turn: Turn } | undefined {
    for (const [serverId, sessions] of this.#servers) {
      const [first] = sessions;
      const [turn] = first?.[1] ?? [];
      if (first === undefined || turn === undefined || !mayRun(serverId)) continue;
      this.delete({ serverId, sessionId: first[0] }, turn);
      // Round-robin: the other sessions and servers come first now.
      moveToEnd(sessions, first[0]);
      moveToEnd(this.#servers, serverId);
      return { serverId, turn };
    }
    return undefined;
  }

  delete({ serverId, sessionId }: Omit<Waiter, 'isPerson'>, turn: Turn): void {
    const sessions = this.#servers.get(serverId);
    const turns = sessions?.get(sessionId);
    turns?.delete(turn);
    if (turns?.size === 0) sessions?.delete(sessionId);
    if (sessions?.size === 0) this.#servers.delete(serverId);
  }
}

function moveToEnd<Value>(row: Map<string, Value>, key: string): void {
  const value = row.get(key);
  if (value !== undefined && row.delete(key)) row.set(key, value);
}
