import type { JobStore, JobWriter } from './job-store.ts';

/** Writes what is wanted at about the same time together: one wait for the disk serves all of it. */
export class GroupCommit {
  readonly #store: JobStore;
  #pending: Pending[] = [];

  constructor(store: JobStore) {
    this.#store = store;
  }

  /** Resolves once it is stored. */
  write<Result>(work: (writer: JobWriter) => Result): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      if (this.#pending.length === 0) setImmediate(() => this.flush());
      this.#pending.push({ work, resolve: resolve as (result: unknown) => void, reject });
    });
  }

  /** Writes what is pending now. */
  flush(): void {
    const pending = this.#pending;
    this.#pending = [];
    if (pending.length === 0) return;
    try {
      const results = this.#store.write((writer) => pending.map(({ work }) => work(writer)));
      pending.forEach(({ resolve }, index) => {
        resolve(results[index]);
      });
    } catch (error) {
      // Nothing of it is stored, so nobody goes on as if it were.
      for (const { reject } of pending) reject(error);
    }
  }
}

interface Pending {
  readonly work: (writer: JobWriter) => unknown;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}
