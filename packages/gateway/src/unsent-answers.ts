import type { Notifier } from '@errand/host';

const mebibyte = 1024 * 1024;

/** How many bytes may wait for clients that do not read. */
export interface UnsentLimits {
  readonly perClient: number;
  readonly total: number;
}

/** One answer of the largest size always fits: a server's message has at most 64 MiB. */
export const defaultUnsentLimits: UnsentLimits = {
  perClient: 128 * mebibyte,
  total: 256 * mebibyte,
};

/** An answer that its client has not taken yet. */
interface UnsentAnswer {
  readonly bytes: number;
  /** Ends the connection it waits on. */
  cut(): void;
}

/** Counts the answers that wait to leave, and cuts the clients that let too many of them pile up. */
export class UnsentAnswers {
  readonly #limits: UnsentLimits;
  readonly #notifier: Notifier;
  readonly #clients = new Map<object, Set<UnsentAnswer>>();
  #total = 0;

  constructor(limits: UnsentLimits, notifier: Notifier) {
    this.#limits = limits;
    this.#notifier = notifier;
  }

  /** How many bytes may wait for one client. */
  get perClient(): number {
    return this.#limits.perClient;
  }

  /** Counts an answer in; the returned function counts it out. */
  add(client: object, answer: UnsentAnswer): () => void {
    const waiting = this.#clients.get(client) ?? new Set();
    this.#clients.set(client, waiting.add(answer));
    this.#total += answer.bytes;
    const remove = () => this.#remove(client, answer);
    this.#enforce(client, waiting);
    return remove;
  }

  #remove(client: object, answer: UnsentAnswer): void {
    const waiting = this.#clients.get(client);
    if (!waiting?.delete(answer)) return;
    this.#total -= answer.bytes;
    if (waiting.size === 0) this.#clients.delete(client);
  }

  #enforce(client: object, waiting: ReadonlySet<UnsentAnswer>): void {
    const { perClient, total } = this.#limits;
    // A single answer may be as large as it is; it is the next ones that pile up.
    if (waiting.size > 1 && bytesOf(waiting) > perClient) {
      this.#cut(client, `more than ${inMebibytes(perClient)} wait for one client`);
    }
    while (this.#total > total && this.#clients.size > 1) {
      this.#cut(this.#largest(), `more than ${inMebibytes(total)} wait for all clients together`);
    }
  }

  #largest(): object {
    const [[client] = [{}]] = [...this.#clients].sort(([, a], [, b]) => bytesOf(b) - bytesOf(a));
    return client;
  }

  #cut(client: object, why: string): void {
    const waiting = this.#clients.get(client) ?? new Set();
    const bytes = bytesOf(waiting);
    for (const answer of [...waiting]) {
      this.#remove(client, answer);
      answer.cut();
    }
    this.#notifier.notify({
      level: 'warning',
      message: `A client of the gateway did not read its answers and was cut off: ${inMebibytes(bytes)} waited for it.`,
      detail: `The gateway keeps a limited amount, and ${why}. The client should read answers as they come, or ask for less at once.`,
    });
  }
}

function bytesOf(answers: ReadonlySet<UnsentAnswer>): number {
  let bytes = 0;
  for (const answer of answers) bytes += answer.bytes;
  return bytes;
}

function inMebibytes(bytes: number): string {
  return `${Math.round(bytes / mebibyte)} MiB`;
}
