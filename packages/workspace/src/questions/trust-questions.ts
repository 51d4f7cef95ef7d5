import type { ServerConfig, ShownLaunch, Trust } from '@errand/host';
import type { QuestionQueue } from './question-queue.ts';

/** Shows servers to a person; resolves with whether they agree to all of them. */
type AskTrust = (shown: readonly ShownLaunch[], agree: string) => Promise<boolean>;

/**
 * Asks a person about servers that nobody has agreed to yet. A caller that needs a server that is being
 * asked about already shares that answer.
 */
export class TrustQuestions {
  readonly #trust: Pick<Trust, 'verdict' | 'show' | 'agreeTo'>;
  readonly #queue: QuestionQueue;
  readonly #askPerson: AskTrust;
  #open: Question | undefined;

  constructor(
    trust: Pick<Trust, 'verdict' | 'show' | 'agreeTo'>,
    queue: QuestionQueue,
    askPerson: AskTrust,
  ) {
    this.#trust = trust;
    this.#queue = queue;
    this.#askPerson = askPerson;
  }

  /** Resolves with whether all of these servers may start. */
  async ensure(servers: readonly ServerConfig[], agree: string): Promise<boolean> {
    for (;;) {
      const untrusted = servers.filter((server) => this.#trust.verdict(server) !== 'trusted');
      if (untrusted.length === 0) return true;
      if (this.#open === undefined) return this.#ask(untrusted, agree);
      const { ids, answer } = this.#open;
      const isAgreed = await answer;
      if (!isAgreed && untrusted.some(({ id }) => ids.has(id))) return false;
    }
  }

  #ask(servers: readonly ServerConfig[], agree: string): Promise<boolean> {
    const ask = async () => {
      const shown = servers.map((server) => this.#trust.show(server));
      const isAgreed = await this.#askPerson(shown, agree);
      if (isAgreed) await this.#trust.agreeTo(shown);
      return isAgreed;
    };
    const answer = this.#queue.ask(ask).finally(() => {
      this.#open = undefined;
    });
    this.#open = { ids: new Set(servers.map(({ id }) => id)), answer };
    return answer;
  }
}

interface Question {
  readonly ids: ReadonlySet<string>;
  readonly answer: Promise<boolean>;
}
