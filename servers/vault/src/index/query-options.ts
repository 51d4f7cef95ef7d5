/** How a query is cancelled and reports progress. */
export interface QueryOptions {
  readonly signal?: AbortSignal;
  readonly progress?: (done: number, total: number) => void;
}
