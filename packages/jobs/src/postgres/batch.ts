/** Does what is asked for at about the same time in one go: while one is under way, the next one gathers. */
export class Batch<Item, Answer> {
  readonly #run: (items: readonly Item[]) => Promise<readonly Answer[]>;
  readonly #most: number;
  #pending: Pending<Item, Answer>[] = [];
  #isRunning = false;

  constructor(run: (items: readonly Item[]) => Promise<readonly Answer[]>, most = 500) {
    this.#run = run;
    this.#most = most;
  }

  add(item: Item): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#pending.push({ item, resolve, reject });
      if (!this.#isRunning) setImmediate(() => void this.#flush());
    });
  }

  async #flush(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    while (this.#pending.length > 0) {
      const batch = this.#pending.splice(0, this.#most);
      try {
        const answers = await this.#run(batch.map(({ item }) => item));
        batch.forEach(({ resolve }, index) => {
          resolve(answers[index] as Answer);
        });
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#isRunning = false;
  }
}

interface Pending<Item, Answer> {
  readonly item: Item;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}
