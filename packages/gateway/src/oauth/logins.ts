import type { GatewayClient } from '../replica/gateway-client.ts';
import { clientOfLogin, goesByScope } from './client-of-login.ts';
import type { ProtectedResource } from './protected-resource.ts';
import type { TokenVerifier } from './token-verifier.ts';

/** Who presented a token, or why it lets nobody in. */
export type LoginAnswer =
  | { readonly kind: 'client'; readonly name: string; readonly subject: string }
  | {
      readonly kind: 'refused';
      readonly status: 401 | 403 | 503;
      readonly message: string;
      readonly challenge?: string;
    };

/** Lets people in who logged in at an authorization server. */
export interface Logins {
  /** For requests without any token. */
  readonly challenge: string;
  /** Whether a token may be one of an authorization server at all. */
  isCandidate(token: string): boolean;
  check(token: string): Promise<LoginAnswer>;
}

interface LoginPorts {
  readonly verifier: TokenVerifier;
  readonly resource: ProtectedResource;
  clients(): readonly GatewayClient[];
  /** Says what an administrator does about somebody who is no client. */
  readonly hint?: (subject: string) => string;
}

/** Turns access tokens into the clients that they stand for. */
export function createLogins({ verifier, resource, clients, hint }: LoginPorts): Logins {
  return {
    challenge: resource.challenge(),
    isCandidate: (token) => jwtShape.test(token),
    async check(token) {
      const checked = await verifier.verify(token);
      if (checked.kind === 'unavailable') {
        const message =
          'The authorization server does not answer, so that the login cannot be checked. Try again in a moment.';
        return { kind: 'refused', status: 503, message };
      }
      if (checked.kind === 'invalid') {
        const { why: message } = checked;
        const challenge = resource.challenge({ error: 'invalid_token', description: message });
        return { kind: 'refused', status: 401, message: `${message} Log in again.`, challenge };
      }
      const subject = String(checked.claims.sub);
      const client = clientOfLogin(checked.claims, clients());
      if (client !== undefined) return { kind: 'client', name: client.name, subject };
      const description = 'This login is no client of the gateway.';
      const message = hint === undefined ? description : `${description} ${hint(subject)}`;
      const challenge = resource.challenge({ error: 'insufficient_scope', description });
      // Clients log in once more for it, which is of use only where another scope could help.
      return {
        kind: 'refused',
        status: 403,
        message,
        ...(goesByScope(clients()) && { challenge }),
      };
    },
  };
}

const jwtShape = /^[\w-]+\.[\w-]+\.[\w-]*$/;
