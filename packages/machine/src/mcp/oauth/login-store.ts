import { createHash } from 'node:crypto';
import type { SecretStore } from '@errand/host';
import type {
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';

/** What is known about logging in to one server, apart from the tokens. */
interface LoginFacts {
  readonly url: string;
  /** Who gives the tokens, as the server said when it was last asked. */
  readonly discovery?: OAuthDiscoveryState;
  /** What the tokens are for, as the authorization server wants it named. */
  readonly resource?: string;
  /** More than was granted: what a refused request would have needed. */
  readonly wantedScope?: string;
}

/** Tokens, and our registration as a client, in the secret store: by issuer, so that none gets another's. */
export class LoginStore {
  readonly #secrets: SecretStore;
  readonly #url: string;

  constructor(secrets: SecretStore, url: string) {
    this.#secrets = secrets;
    this.#url = url;
  }

  async facts(): Promise<LoginFacts> {
    return { url: this.#url, ...(await this.#read<LoginFacts>(nameFor('server', this.#url))) };
  }

  async setFacts(change: Partial<LoginFacts>): Promise<void> {
    await this.#write(nameFor('server', this.#url), { ...(await this.facts()), ...change });
  }

  async tokens(): Promise<StoredOAuthTokens | undefined> {
    const issuer = issuerOf(await this.facts());
    return issuer === undefined ? undefined : this.tokensFrom(issuer);
  }

  tokensFrom(issuer: string): Promise<StoredOAuthTokens | undefined> {
    return this.#read(nameFor('tokens', issuer, this.#url));
  }

  setTokens(issuer: string, tokens: StoredOAuthTokens | undefined): Promise<void> {
    return this.#write(nameFor('tokens', issuer, this.#url), tokens);
  }

  client(issuer: string): Promise<StoredOAuthClientInformation | undefined> {
    return this.#read(nameFor('client', issuer));
  }

  setClient(issuer: string, client: StoredOAuthClientInformation | undefined): Promise<void> {
    return this.#write(nameFor('client', issuer), client);
  }

  /** Forgets the login, but not our registration. */
  async forget(): Promise<void> {
    const issuer = issuerOf(await this.facts());
    if (issuer !== undefined) await this.setTokens(issuer, undefined);
    await this.#write(nameFor('server', this.#url), undefined);
  }

  async #read<Value>(name: string): Promise<Value | undefined> {
    const text = await this.#secrets.get(name);
    try {
      return text === undefined ? undefined : (JSON.parse(text) as Value);
    } catch {
      // Spoiled by another hand: as good as never logged in.
      return undefined;
    }
  }

  #write(name: string, value: unknown): Promise<void> {
    return this.#secrets.set(name, value === undefined ? undefined : JSON.stringify(value));
  }
}

/** The name by which an authorization server identifies itself. */
export function issuerOf({ discovery }: LoginFacts): string | undefined {
  return discovery?.authorizationServerMetadata?.issuer ?? discovery?.authorizationServerUrl;
}

/** Secret stores are choosy about names and issuers are addresses, so these are digests. */
function nameFor(kind: 'server' | 'tokens' | 'client', ...parts: readonly string[]): string {
  const digest = createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 16);
  return `oauth-${kind}-${digest}`;
}

/** The addresses a registration was made with; nothing when it holds for any. */
export function registeredAddresses(
  client: StoredOAuthClientInformation | undefined,
): readonly string[] | undefined {
  return client !== undefined && 'redirect_uris' in client
    ? (client.redirect_uris as string[])
    : undefined;
}
