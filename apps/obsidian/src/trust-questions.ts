import type { ServerConfig, ShownLaunch, Trust } from '@errand/host';

/** Shows servers to a person; resolves with whether they agree to all of them. */
export type AskTrust = (shown: readonly ShownLaunch[], agree: string) => Promise<boolean>;

/**
 * Asks a person about servers that nobody has agreed to yet, one question at a time. Who needs a server
 * that is being asked about already gets that answer, and no question of their own.
 */
export class TrustQuestions {
  readonly #trust: Pick<Trust, 'verdict' | 'show' | 'agreeTo'>;
  readonly #askPerson: AskTrust;
  #open: Question | undefined;

  constructor(trust: Pick<Trust, 'verdict' | 'show' | 'agreeTo'>, askPerson: AskTrust) {
    this.#trust = trust;
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
    const answer = ask().finally(() => {
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
