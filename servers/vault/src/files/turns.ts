/** Lets tasks with the same key run one after the other. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs the task when every earlier one with this key has ended, well or badly. */
  async take<T>(key: string, task: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const mine = before.then(task, task);
    this.#last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (this.#last.get(key) === mine) this.#last.delete(key);
    }
  }
}
