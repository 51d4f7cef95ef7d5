/** How a question is stopped, and how it tells how far it is. */
export interface Asking {
  readonly signal?: AbortSignal;
  readonly progress?: (done: number, total: number) => void;
}
