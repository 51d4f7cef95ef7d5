import type { RequestId } from './json-rpc.ts';

/** The requests of one client that are not answered yet. */
export class RunningRequests {
  readonly #controllers = new Map<RequestId, AbortController>();

  get size(): number {
    return this.#controllers.size;
  }

  /** Does the work of a request, which can be cancelled by its id meanwhile. */
  async run<T>(id: RequestId, controller: AbortController, work: () => Promise<T>): Promise<T> {
    this.#controllers.set(id, controller);
    try {
      return await work();
    } finally {
      // A client that gave two requests one id has only the later one under it.
      if (this.#controllers.get(id) === controller) this.#controllers.delete(id);
    }
  }

  /** Cancels one request; one that is unknown has been answered meanwhile. */
  cancel(id: unknown): void {
    this.#controllers.get(id as RequestId)?.abort();
  }

  cancelAll(): void {
    for (const controller of this.#controllers.values()) controller.abort();
  }
}
