import type { GatewayClient, LoginClaim } from '../replica/gateway-client.ts';

/** Claims that name somebody come before those that name a group, and the issuer, which is in every token, comes last. */
const ranks = ['sub', 'client_id', 'azp'];

/** The client that somebody who logged in is; of several the one whose claim says most about them. */
export function clientOfLogin(
  claims: Readonly<Record<string, unknown>>,
  clients: readonly GatewayClient[],
): GatewayClient | undefined {
  let found: { readonly client: GatewayClient; readonly rank: number } | undefined;
  for (const client of clients) {
    for (const login of client.logins ?? []) {
      if (!hasClaim(claims, login)) continue;
      const rank = rankOf(login.claim);
      const isBetter =
        found === undefined ||
        rank < found.rank ||
        (rank === found.rank && client.name < found.client.name);
      if (isBetter) found = { client, rank };
    }
  }
  return found?.client;
}

/** Whether the scope of a token makes its bearer any of these clients. */
export function goesByScope(clients: readonly GatewayClient[]): boolean {
  return clients.some(({ logins }) => logins?.some(({ claim }) => isScope(claim)));
}

function hasClaim(
  claims: Readonly<Record<string, unknown>>,
  { claim, value }: LoginClaim,
): boolean {
  const held = Object.hasOwn(claims, claim) ? claims[claim] : undefined;
  if (Array.isArray(held)) return held.includes(value);
  if (typeof held !== 'string') return false;
  return held === value || (isScope(claim) && held.split(' ').includes(value));
}

/** Both names are in use for what a token allows, as words in one text. */
function isScope(claim: string): boolean {
  return claim === 'scope' || claim === 'scp';
}

function rankOf(claim: string): number {
  if (claim === 'iss') return ranks.length + 1;
  const rank = ranks.indexOf(claim);
  return rank === -1 ? ranks.length : rank;
}
