import type { OnFault } from '@errand/host';
import { HostError } from '@errand/host';

/** Counts the responses that a server has not read yet, and ends the connection when there are too many. */
export class UnreadAnswers {
  readonly #server: string;
  readonly #most: number;
  readonly #onFault: OnFault;
  #count = 0;

  constructor(server: string, most: number, onFault: OnFault) {
    this.#server = server;
    this.#most = most;
    this.#onFault = onFault;
  }

  /** Counts a response until it is written. */
  async add(writing: Promise<void>): Promise<void> {
    this.#count += 1;
    if (this.#count === this.#most + 1) this.#onFault(asksTooMuch(this.#server, this.#most));
    try {
      await writing;
    } finally {
      this.#count -= 1;
    }
  }
}

function asksTooMuch(server: string, most: number): HostError {
  return new HostError(
    'server_unavailable',
    `Server "${server}" asks without reading the answers, and ${most} of them wait. The connection was ended. This is a bug in the server; report it to its authors.`,
    { server },
  );
}
