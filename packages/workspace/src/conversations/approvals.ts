import type { ApprovalQuestion, Approver } from '@errand/assistant';

/** `conversation` allows the tool for the rest of the conversation. */
export type CallVerdict = 'once' | 'conversation' | 'deny';

/** Asks a person about a call; `Asker` says who wants to make it. */
export type AskPerson<Asker extends object> = (
  question: ApprovalQuestion & Asker,
  signal: AbortSignal,
) => Promise<CallVerdict>;

/** Asks a person about the calls of models, one question at a time, and remembers what a conversation may call. */
export class Approvals<Asker extends object> {
  readonly #askPerson: AskPerson<Asker>;
  readonly #allowed = new Set<string>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(askPerson: AskPerson<Asker>) {
    this.#askPerson = askPerson;
  }

  approverFor(asker: Asker): Approver {
    return {
      approve: (question, signal) => {
        const { conversation, server, tool } = question;
        const key = JSON.stringify([conversation, server, tool]);
        const asking = this.#last.then(async () => {
          signal.throwIfAborted();
          // It may have been allowed while it waited for its turn.
          if (this.#allowed.has(key)) return true;
          const verdict = await this.#askPerson({ ...question, ...asker }, signal);
          if (verdict === 'conversation') this.#allowed.add(key);
          return verdict !== 'deny';
        });
        this.#last = asking.catch(() => {});
        return asking;
      },
    };
  }
}
