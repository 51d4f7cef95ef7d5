import type { ApprovalQuestion, Approver } from '@errand/assistant';

/** Who wants to make a call, and where. */
export interface Asker {
  readonly assistant: string;
  readonly note: string;
}

export interface CallQuestion extends ApprovalQuestion, Asker {}

export type CallVerdict = 'once' | 'conversation' | 'deny';

/** Shows a question to the person; without an answer, it is denied. */
export type AskPerson = (question: CallQuestion, signal: AbortSignal) => Promise<CallVerdict>;

/** Asks a person about the calls of models, one after the other, and remembers what conversations may do. */
export class Approvals {
  readonly #askPerson: AskPerson;
  readonly #allowed = new Set<string>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(askPerson: AskPerson) {
    this.#askPerson = askPerson;
  }

  approverFor({ assistant, note }: Asker): Approver {
    return {
      approve: (question, signal) => {
        const { conversation, server, tool } = question;
        const key = JSON.stringify([conversation, server, tool]);
        const asking = this.#last.then(async () => {
          if (signal.aborted) return false;
          // It may have been allowed while it waited for its turn.
          if (this.#allowed.has(key)) return true;
          const verdict = await this.#askPerson({ ...question, assistant, note }, signal);
          if (verdict === 'conversation') this.#allowed.add(key);
          return verdict !== 'deny';
        });
        this.#last = asking.catch(() => {});
        return asking;
      },
    };
  }
}
