import { onAbort } from '@errand/wire';

const remembered = 1_000;

/** The tool calls that run now, and how the last thousand ended. */
export class RunningCalls {
  readonly #running = new Set<AbortController>();
  readonly #failed = new Uint8Array(remembered);
  readonly #onChange: (running: number) => void;
  #ended = 0;

  constructor(onChange: (running: number) => void) {
    this.#onChange = onChange;
  }

  /** Runs one call; its signal is aborted by the caller's own or when the server must stop. */
  async run<T>(cancelled: AbortSignal, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    using _listening = onAbort(cancelled, (reason) => controller.abort(reason));
    this.#running.add(controller);
    this.#onChange(this.#running.size);
    try {
      return await call(controller.signal);
    } finally {
      this.#running.delete(controller);
      this.#onChange(this.#running.size);
    }
  }

  record(outcome: 'answered' | 'failed'): void {
    this.#failed[this.#ended % remembered] = outcome === 'failed' ? 1 : 0;
    this.#ended += 1;
  }

  /** The share of the last thousand calls that failed with an unexpected error. */
  get errorRate(): number {
    const counted = Math.min(this.#ended, remembered);
    if (counted === 0) return 0;
    return this.#failed.reduce((sum, failed) => sum + failed, 0) / counted;
  }

  /** Cancels whatever still runs. */
  abort(): void {
    const reason = new DOMException('The server stopped.', 'AbortError');
    for (const controller of this.#running) controller.abort(reason);
  }
}
