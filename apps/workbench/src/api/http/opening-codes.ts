import { createHash, randomBytes } from 'node:crypto';

export interface CodeLimits {
  /** Milliseconds until it is worthless; without it the code waits for its use as long as the program runs. */
  readonly expiresAfterMs?: number;
  /** Whether other users of this machine may have seen it, so that it lets in none of them. */
  readonly isSeenByOthers?: boolean;
}

interface KnownCode {
  readonly expiresAt: number;
  readonly isSeenByOthers: boolean;
}

/** The maximum number of unused codes; the oldest are dropped first. */
const mostCodes = 100;

/** The codes in opening links: each lets one browser in, once. */
export class OpeningCodes {
  /** By digest, so that how long a look-up takes tells nothing about a code. */
  readonly #codes = new Map<string, KnownCode>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  create({ expiresAfterMs = Number.POSITIVE_INFINITY, isSeenByOthers = false }: CodeLimits = {}) {
    const code = randomBytes(32).toString('base64url');
    this.#codes.set(digest(code), { expiresAt: this.#now() + expiresAfterMs, isSeenByOthers });
    const [oldest] = this.#codes.keys();
    if (this.#codes.size > mostCodes && oldest !== undefined) this.#codes.delete(oldest);
    return code;
  }

  /** Redeems a code; false when it is unknown or not valid for this user. */
  async redeem(code: string, isSameUser: () => Promise<boolean>): Promise<boolean> {
    const key = digest(code);
    const known = this.#codes.get(key);
    if (known === undefined || known.expiresAt < this.#now()) return false;
    // A stranger who is refused must not use it up for its owner.
    if (known.isSeenByOthers && !(await isSameUser())) return false;
    return this.#codes.delete(key);
  }
}

function digest(code: string): string {
  return createHash('sha256').update(code).digest('hex');
}
