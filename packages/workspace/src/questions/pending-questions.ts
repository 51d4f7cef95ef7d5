import { onAbort } from '@errand/wire';

/** Questions that are shown elsewhere and answered by id: the first answer counts, and an aborted one is withdrawn. */
export class PendingQuestions<Question extends { readonly id: string }, Answer> {
  readonly #asked = new Map<string, Asked<Question, Answer>>();
  readonly #onAsked: (question: Question) => void;
  readonly #onClosed: (question: Question) => void;

  constructor(ports: {
    readonly onAsked: (question: Question) => void;
    readonly onClosed: (question: Question) => void;
  }) {
    this.#onAsked = ports.onAsked;
    this.#onClosed = ports.onClosed;
  }

  get list(): readonly Question[] {
    return [...this.#asked.values()].map(({ question }) => question);
  }

  /** Resolves with the answer; rejects with the signal's reason when nobody needs it any more. */
  async ask(question: Question, signal: AbortSignal): Promise<Answer> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    using _listening = onAbort(signal, reject);
    this.#asked.set(question.id, { question, resolve });
    try {
      this.#onAsked(question);
      return await promise;
    } finally {
      this.#asked.delete(question.id);
      this.#onClosed(question);
    }
  }

  /** Returns whether somebody waited for the answer. */
  answer(id: string, answer: Answer): boolean {
    const asked = this.#asked.get(id);
    asked?.resolve(answer);
    return asked !== undefined;
  }
}

interface Asked<Question, Answer> {
  readonly question: Question;
  readonly resolve: (answer: Answer) => void;
}
