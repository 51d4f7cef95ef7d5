import type {
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { type LoginStore, registeredAddresses } from './login-store.ts';

/** How a program makes itself known to authorization servers. */
export interface LoginClient {
  /** The name people see when they are asked to agree. */
  readonly name: string;
  /** An https address of a document that describes us, for servers that take it instead of a registration. */
  readonly metadataUrl?: string;
  /** A registration made by hand, for servers that take no other. */
  readonly registered?: { readonly id: string; readonly secret?: string };
}

interface Context {
  readonly issuer?: string;
}

/** One login as the SDK carries it out. */
export class LoginProvider implements OAuthClientProvider {
  readonly redirectUrl: string;
  readonly clientMetadataUrl?: string;
  /** Where the person has to go; set by the SDK. */
  authorizationUrl: URL | undefined;
  readonly #store: LoginStore;
  readonly #client: LoginClient;
  readonly #state: string;
  #discovery: OAuthDiscoveryState | undefined;
  #verifier = '';

  constructor(store: LoginStore, client: LoginClient, redirectUrl: string, state: string) {
    this.#store = store;
    this.#client = client;
    this.redirectUrl = redirectUrl;
    this.#state = state;
    if (client.metadataUrl !== undefined) this.clientMetadataUrl = client.metadataUrl;
  }

  get clientMetadata(): OAuthClientMetadata {
    return {
      client_name: this.#client.name,
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    };
  }

  state(): string {
    return this.#state;
  }

  async clientInformation({
    issuer = '',
  }: Context = {}): Promise<StoredOAuthClientInformation | undefined> {
    const { registered } = this.#client;
    if (registered !== undefined) {
      const { id, secret } = registered;
      return { client_id: id, ...(secret !== undefined && { client_secret: secret }), issuer };
    }
    const stored = await this.#store.client(issuer);
    // A registration holds for the address it was made with.
    const addresses = registeredAddresses(stored);
    return addresses === undefined || addresses.includes(this.redirectUrl) ? stored : undefined;
  }

  async saveClientInformation(client: StoredOAuthClientInformation, { issuer = '' }: Context = {}) {
    await this.#store.setClient(issuer, client);
  }

  tokens(): undefined {
    // A login starts from nothing; tokens are refreshed elsewhere.
    return undefined;
  }

  async saveTokens(tokens: StoredOAuthTokens, { issuer = '' }: Context = {}): Promise<void> {
    await this.#store.setTokens(issuer, tokens);
    await this.#store.setFacts(this.#discovery === undefined ? {} : { discovery: this.#discovery });
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovery = state;
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovery;
  }

  async saveResourceUrl(resource: string): Promise<void> {
    await this.#store.setFacts({ resource });
  }

  redirectToAuthorization(url: URL): void {
    this.authorizationUrl = url;
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  async invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery') {
    const issuer = this.#discovery?.authorizationServerMetadata?.issuer;
    if (issuer !== undefined && (scope === 'all' || scope === 'client')) {
      await this.#store.setClient(issuer, undefined);
    }
  }
}
