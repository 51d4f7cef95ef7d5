/** A program that may use the gateway, with a token of its own. */
export interface GatewayClient {
  readonly name: string;
  /** Names of the servers it may use; all without it. */
  readonly servers?: readonly string[];
  /** Names of the tools it may use, as `server__tool` or `server__*`; all without it. */
  readonly tools?: readonly string[];
  /** It is offered only what this note allows. */
  readonly note?: string;
  /** How many calls it may make in a period, over all replicas. */
  readonly limit?: CallLimit;
  /** Whoever logs in and has one of these claims is this client, which then has no token of its own. */
  readonly logins?: readonly LoginClaim[];
}

/** A claim of an access token that makes its bearer a client. */
export interface LoginClaim {
  readonly claim: string;
  readonly value: string;
}

/** Who sent a request, by the token that it carries. */
export interface ClientIdentity {
  readonly name: string;
  /** Who logged in, where several people are one client. */
  readonly subject?: string;
}

export interface CallLimit {
  readonly calls: number;
  readonly periodMs: number;
}

/** Names are part of session names and of addresses. */
export const clientName = /^[a-z0-9][a-z0-9._-]{0,62}$/;

/** The executor's name for the calls of a client. */
export function clientSession(client: string, suffix = ''): string {
  return `gateway:client/${client}${suffix}`;
}

/** The client whose calls have this session name. */
export function clientOfSession(sessionId: string): string | undefined {
  return /^gateway:client\/([^:]+)/.exec(sessionId)?.[1];
}
