/** Who waits: a session, and whether a person sits in front of it. */
export interface QueuePlace {
  readonly sessionId: string;
  readonly isPerson: boolean;
}

/**
 * Lets a bounded number of calls run at once. Free places go to people first, and among equals
 * to each session in turn, so that a long run does not hold up a single call.
 */
export class CallQueue {
  readonly #limit: () => number;
  readonly #people = new Lane();
  readonly #others = new Lane();
  #running = 0;

  /** The limit is asked each time, since settings change; -1 is unlimited. */
  constructor(limit: () => number) {
    this.#limit = limit;
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#people.size + this.#others.size;
  }

  /** Waits for a turn, if it must; the function that comes of it ends the turn. */
  enter(place: QueuePlace, signal: AbortSignal): (() => void) | Promise<() => void> {
    signal.throwIfAborted();
    if (this.waiting > 0 || !this.#hasRoom()) {
      return this.#wait(place, signal).then(() => this.#holdTurn());
    }
    this.#running += 1;
    return this.#holdTurn();
  }

  /** Gives free places away; to be called when the limit was raised. */
  admit(): void {
    while (this.#hasRoom()) {
      const turn = this.#people.shift() ?? this.#others.shift();
      if (turn === undefined) return;
      this.#running += 1;
      turn();
    }
  }

  #holdTurn(): () => void {
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#running -= 1;
      this.admit();
    };
  }

  #hasRoom(): boolean {
    const limit = this.#limit();
    return limit === -1 || this.#running < limit;
  }

  #wait({ sessionId, isPerson }: QueuePlace, signal: AbortSignal): Promise<void> {
    const lane = isPerson ? this.#people : this.#others;
    return new Promise((resolve, reject) => {
      const abort = () => {
        lane.delete(sessionId, turn);
        reject(signal.reason);
      };
      const turn = () => {
        signal.removeEventListener('abort', abort);
        resolve();
      };
      signal.addEventListener('abort', abort, { once: true });
      lane.push(sessionId, turn);
    });
  }
}

type Turn = () => void;

/** Sessions in the order of their next turn, each with its own calls in order. */
class Lane {
  readonly #sessions = new Map<string, Set<Turn>>();
  size = 0;

  push(sessionId: string, turn: Turn): void {
    const turns = this.#sessions.get(sessionId) ?? new Set();
    this.#sessions.set(sessionId, turns.add(turn));
    this.size += 1;
  }

  shift(): Turn | undefined {
    const [first] = this.#sessions;
    if (first === undefined) return undefined;
    const [sessionId, turns] = first;
    const [turn] = turns;
    if (turn === undefined) return undefined;
    this.delete(sessionId, turn);
    // To the end of the row: the other sessions come first now.
    if (this.#sessions.delete(sessionId)) this.#sessions.set(sessionId, turns);
    return turn;
  }

  delete(sessionId: string, turn: Turn): void {
    const turns = this.#sessions.get(sessionId);
    if (!turns?.delete(turn)) return;
    this.size -= 1;
    if (turns.size === 0) this.#sessions.delete(sessionId);
  }
}
