/** So many times the same call may have the same answer in a turn. */
const most = 3;

/** Notices when a model goes in circles: the same call, with the same answer. */
export class RepeatedCalls {
  readonly #seen = new Map<string, number>();

  /** Whether this answer is the last one of its kind that is taken. */
  isTooMany(call: string, answer: string): boolean {
    const key = JSON.stringify([call, answer]);
    const count = (this.#seen.get(key) ?? 0) + 1;
    this.#seen.set(key, count);
    return count >= most;
  }
}
