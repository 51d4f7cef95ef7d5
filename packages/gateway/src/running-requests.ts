import { ArraySet } from '@errand/host';
import type { RequestId } from '@errand/wire';

/** The requests of one client that are not answered yet. */
export class RunningRequests {
  readonly #running = new ArraySet<{
    readonly id: RequestId;
    readonly controller: AbortController;
  }>();

  get size(): number {
    return this.#running.size;
  }

  /** Does the work of a request, which can be cancelled by its id meanwhile. */
  async run<T>(id: RequestId, controller: AbortController, work: () => Promise<T>): Promise<T> {
    const forget = this.#running.add({ id, controller });
    try {
      return await work();
    } finally {
      forget();
    }
  }

  /** Cancels a request; one that is unknown has been answered meanwhile. */
  cancel(id: unknown): void {
    for (const running of this.#running) if (running.id === id) running.controller.abort();
  }

  /** Cancels all of them; with `shutdown` as the reason they are answered all the same. */
  cancelAll(reason?: unknown): void {
    for (const { controller } of this.#running) controller.abort(reason);
  }
}
