import type { SecretStore, ServerConfig } from '@errand/host';
import { issuerOf, LoginStore } from './login-store.ts';
import { nodeFetch } from './node-fetch.ts';
import { serverUrl } from './server-url.ts';

/** Forgets the login to a remote server, here and, where that is possible, there. Tells whether there was one. */
export async function logOut(
  server: ServerConfig,
  secrets: SecretStore,
  signal: AbortSignal,
): Promise<boolean> {
  const url = serverUrl(server);
  const store = new LoginStore(secrets, url);
  const facts = await store.facts();
  const tokens = await store.tokens();
  await store.forget();
  if (tokens === undefined) return false;
  const metadata = facts.discovery?.authorizationServerMetadata ?? {};
  const client = await store.client(issuerOf(facts) ?? '');
  if ('revocation_endpoint' in metadata && client !== undefined) {
    const body = new URLSearchParams({
      token: tokens.refresh_token ?? tokens.access_token,
      client_id: client.client_id,
    });
    // What is forgotten here is of no use to us any more, whether or not they hear of it.
    const tell = nodeFetch({ name: server.name, url }, signal);
    await tell(String(metadata.revocation_endpoint), { method: 'POST', body }).catch(
      () => undefined,
    );
  }
  return true;
}
