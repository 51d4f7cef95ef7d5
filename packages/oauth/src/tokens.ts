/** A client that is registered with an authorization server. */
export interface OAuthClient {
  readonly id: string;
  /** Programs on people's computers cannot keep it secret, but some servers ask for it. */
  readonly secret?: string | undefined;
}

/** What a login gives. */
export interface Tokens {
  readonly accessToken: string;
  /** When the access token expires, in milliseconds since 1970; unknown when the server does not say. */
  readonly expiresAt?: number | undefined;
  readonly refreshToken?: string | undefined;
  /** The rights that were granted. */
  readonly scopes?: readonly string[] | undefined;
  /** Who is logged in, for people to read. */
  readonly account?: string | undefined;
  /** The client that the tokens were given to, which alone can refresh them. */
  readonly client?: OAuthClient | undefined;
  /** Where they are refreshed; at the usual address of the service if unknown. */
  readonly tokenUrl?: string | undefined;
}

/** Where the tokens of one login are kept. */
export interface TokenStore {
  /** The tokens; nothing when nobody is logged in. */
  read(): Promise<Tokens | undefined>;
  save(tokens: Tokens): Promise<void>;
  clear(): Promise<void>;
  /** Replaces the tokens by what the change makes of them, while no other process does the same. */
  update?(change: (current: Tokens | undefined) => Promise<Tokens>): Promise<Tokens>;
}
