import { randomUUID } from 'node:crypto';
import { ArraySet } from '@errand/host';
import {
  type JsonObject,
  notificationLine,
  onAbort,
  type RpcResponse,
  requestLine,
} from '@errand/wire';

/** How long a person may take to answer, in milliseconds. */
export const answerTimeoutMs = 300_000;

/** Sends a line to the client; false when there is no way to it. */
type SendLine = (line: string) => boolean;

interface OpenQuestion {
  readonly id: string;
  settle(result: JsonObject | undefined): void;
}

/** The questions that a client of the older era has not answered yet. */
export class ClientQuestions {
  readonly #open = new ArraySet<OpenQuestion>();
  #isClosed = false;

  /** Asks the client; nothing when it refuses, goes, or takes too long. */
  async ask(
    method: string,
    params: JsonObject,
    send: SendLine,
    signal: AbortSignal,
  ): Promise<JsonObject | undefined> {
    // Others must not be able to guess it and answer in the client's place.
    const id = randomUUID();
    if (this.#isClosed || signal.aborted || !send(requestLine(id, method, params))) {
      return undefined;
    }
    const { promise, resolve } = Promise.withResolvers<JsonObject | undefined>();
    const giveUp = () => {
      send(notificationLine('notifications/cancelled', { requestId: id }));
      resolve(undefined);
    };
    const forget = this.#open.add({ id, settle: resolve });
    const timer = setTimeout(giveUp, answerTimeoutMs).unref();
    using _listening = onAbort(signal, giveUp);
    const result = await promise;
    clearTimeout(timer);
    forget();
    return result;
  }

  /** Takes a client's answer; one to no question of ours is ignored. */
  take({ id, result }: RpcResponse): void {
    for (const question of this.#open) if (question.id === id) question.settle(result);
  }

  /** No more answers will come. */
  close(): void {
    this.#isClosed = true;
    for (const { settle } of this.#open) settle(undefined);
  }
}
