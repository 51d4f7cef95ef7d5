import type { MailBoard, MailEvent, MailMethods } from '@errand/mailroom';
import type { JsonObject } from '@errand/wire';

/** What this program is to the others on the vault, and the way to the one that runs the mailroom. */
export interface MailSharing {
  /** Whether there is a program that could run it now. */
  readonly isRun: () => boolean;
  request(request: {
    readonly service: string;
    readonly method: string;
    readonly params: JsonObject;
  }): Promise<{ readonly value: unknown } | undefined>;
  readonly serviceEvents: {
    subscribe(
      listener: (event: { readonly service: string; readonly event: JsonObject }) => void,
    ): () => void;
  };
}

/** How many notes of the mailroom need somebody. */
export interface MailCounts {
  readonly waiting: number;
  readonly wrong: number;
}

/** The mailroom of a vault, which runs in the program that owns it: an editor only asks. */
export class VaultMail implements Disposable {
  readonly #sharing: MailSharing;
  readonly #notRunning: () => Error;
  readonly #listeners = new Set<() => void>();
  readonly #unsubscribe: () => void;
  #counts: MailCounts | undefined;
  /** Of many changes at once the last is asked about. */
  #isAsking = false;
  #isStale = false;

  /** `notRunning` says that no program runs the mailroom, and how one is started. */
  constructor(sharing: MailSharing, notRunning: () => Error) {
    this.#sharing = sharing;
    this.#notRunning = notRunning;
    this.#unsubscribe = sharing.serviceEvents.subscribe(({ service, event }) => {
      if (service !== 'mail') return;
      const { kind } = event as unknown as MailEvent;
      if (kind === 'board-changed' || kind === 'state-changed') void this.refresh();
    });
  }

  /** Undefined while no program runs the mailroom, or nothing was heard of it. */
  get counts(): MailCounts | undefined {
    return this.#sharing.isRun() ? this.#counts : undefined;
  }

  /** Tells when the counts have changed. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async ask<Method extends keyof MailMethods>(
    method: Method,
    params: MailMethods[Method]['params'],
  ): Promise<MailMethods[Method]['result']> {
    if (!this.#sharing.isRun()) throw this.#notRunning();
    const request = { service: 'mail', method, params: params as JsonObject };
    const reply = await this.#sharing.request(request);
    if (reply === undefined) throw this.#notRunning();
    return reply.value as MailMethods[Method]['result'];
  }

  /** Asks how much waits; nothing is told when that cannot be learned. */
  async refresh(): Promise<void> {
    this.#isStale = true;
    if (this.#isAsking) return;
    this.#isAsking = true;
    while (this.#isStale) {
      this.#isStale = false;
      const board: MailBoard | undefined = await this.ask('board', { done: 0 }).catch(
        () => undefined,
      );
      if (board !== undefined) {
        const { waiting, wrong } = board.counts;
        this.#counts = { waiting, wrong };
      }
    }
    this.#isAsking = false;
    for (const listener of this.#listeners) listener();
  }

  [Symbol.dispose](): void {
    this.#unsubscribe();
    this.#listeners.clear();
  }
}
