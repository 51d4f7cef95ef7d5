import type { JobEngine } from '@errand/jobs';

/** Passes on the engine of a vault's jobs: it is opened when there is a first job, and again when this program owns the vault again. */
export class OpenedJobs {
  #jobs: JobEngine | undefined;
  #listener: ((jobs: JobEngine) => void) | undefined;

  readonly offer = (jobs: JobEngine): void => {
    this.#jobs = jobs;
    this.#listener?.(jobs);
  };

  follow(listener: (jobs: JobEngine) => void): void {
    this.#listener = listener;
    if (this.#jobs !== undefined) listener(this.#jobs);
  }
}
