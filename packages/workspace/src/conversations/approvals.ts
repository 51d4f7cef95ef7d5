import type { ApprovalQuestion, Approver } from '@errand/assistant';
import type { QuestionQueue } from '../questions/question-queue.ts';

/** `conversation` allows the tool for the rest of the conversation. */
export type CallVerdict = 'once' | 'conversation' | 'deny';

/** Asks a person about a call; `Context` says who wants to make it. */
export type AskPerson<Context extends object> = (
  question: ApprovalQuestion & Context,
  signal: AbortSignal,
) => Promise<CallVerdict>;

/** Asks a person about the calls of models, and remembers what a conversation may call. */
export class Approvals<Context extends object> {
  readonly #queue: QuestionQueue;
  readonly #askPerson: AskPerson<Context>;
  readonly #allowed = new Set<string>();

  constructor(queue: QuestionQueue, askPerson: AskPerson<Context>) {
    this.#queue = queue;
    this.#askPerson = askPerson;
  }

  approverFor(context: Context): Approver {
    return {
      approve: (question, signal) => {
        const { conversation, server, tool } = question;
        const key = JSON.stringify([conversation, server, tool]);
        return this.#queue.ask(async () => {
          // It may have been allowed while it waited for its turn.
          if (this.#allowed.has(key)) return true;
          const verdict = await this.#askPerson({ ...question, ...context }, signal);
          if (verdict === 'conversation') this.#allowed.add(key);
          return verdict !== 'deny';
        }, signal);
      },
    };
  }
}
