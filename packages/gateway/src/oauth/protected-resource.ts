/** What a gateway that people log in to is configured with. */
export interface ResourceSettings {
  /** The address of the gateway as its clients write it; tokens have to be made for it (RFC 8707). */
  readonly resource: string;
  /** The authorization server whose tokens are taken. */
  readonly issuer: string;
  /** What clients are told to ask for. */
  readonly scopes?: readonly string[];
}

/** What a gateway tells clients about logging in (RFC 9728). */
export interface ProtectedResource {
  /** Paths that answer with the document. */
  readonly paths: readonly string[];
  readonly document: Readonly<Record<string, unknown>>;
  /** The WWW-Authenticate header of a refusal, with the error of RFC 6750 where a token was presented. */
  challenge(error?: ChallengeError): string;
}

interface ChallengeError {
  readonly error: 'invalid_token' | 'insufficient_scope';
  readonly description: string;
}

const wellKnown = '/.well-known/oauth-protected-resource';

/** The metadata of the gateway as a resource, where it is found, and how a refusal leads there. */
export function protectedResource({
  resource,
  issuer,
  scopes = [],
}: ResourceSettings): ProtectedResource {
  const { origin, pathname } = new URL(resource);
  const own = `${wellKnown}${pathname.replace(/\/$/, '')}`;
  const scope = scopes.length === 0 ? '' : `, scope="${scopes.join(' ')}"`;
  return {
    paths: [...new Set([own, wellKnown])],
    document: {
      resource,
      authorization_servers: [issuer],
      bearer_methods_supported: ['header'],
      ...(scopes.length > 0 && { scopes_supported: scopes }),
      resource_name: 'Errand gateway',
    },
    challenge(refused) {
      const why =
        refused && `error="${refused.error}", error_description="${refused.description}", `;
      return `Bearer ${why ?? ''}resource_metadata="${origin}${own}"${scope}`;
    },
  };
}
