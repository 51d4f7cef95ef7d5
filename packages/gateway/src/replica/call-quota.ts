import type { CallLimit } from './gateway-client.ts';

/** Takes up to so many calls from what a client has left in this period; answers with how many it got. */
export type ReserveCalls = (client: string, limit: CallLimit, wanted: number) => Promise<Reserved>;

export interface Reserved {
  readonly granted: number;
  /** Milliseconds until the next period begins. */
  readonly endsInMs: number;
}

/**
 * Counts calls of clients over all replicas. Each replica takes some calls in advance, so that most calls ask nobody; together
 * they never allow more than the limit. What a replica took and did not use is lost at its end.
 */
export class CallQuota {
  readonly #reserve: ReserveCalls;
  readonly #held = new Map<
    string,
    { left: number; until: number; asking?: Promise<void> | undefined }
  >();

  constructor(reserve: ReserveCalls) {
    this.#reserve = reserve;
  }

  /** Whether the client may make a call; if not, after how many milliseconds it may again. */
  async take(client: string, limit: CallLimit): Promise<{ readonly waitMs: number } | undefined> {
    const held = this.#held.get(client) ?? { left: 0, until: 0 };
    this.#held.set(client, held);
    for (let tries = 0; tries < 100; tries += 1) {
      const now = performance.now();
      if (now > held.until) held.left = 0;
      if (held.left > 0) {
        held.left -= 1;
        return undefined;
      }
      const until = held.until;
      held.asking ??= this.#ask(client, limit, held).finally(() => {
        held.asking = undefined;
      });
      await held.asking;
      if (held.left === 0 && held.until !== until)
        return { waitMs: held.until - performance.now() };
      if (held.left === 0) return { waitMs: Math.max(0, held.until - performance.now()) };
    }
    return { waitMs: 1_000 };
  }

  async #ask(
    client: string,
    limit: CallLimit,
    held: { left: number; until: number },
  ): Promise<void> {
    const wanted = Math.max(1, Math.min(50, Math.floor(limit.calls / 20)));
    const { granted, endsInMs } = await this.#reserve(client, limit, wanted);
    held.left = granted;
    held.until = performance.now() + endsInMs;
  }
}
