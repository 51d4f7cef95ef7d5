import { type SecretStore, type ServerConfig, takeSecrets } from '@errand/host';

/** Stores what looks like a secret in an entry as one; returns the entry with references instead. */
export async function storeSecretsOf(
  entry: ServerConfig,
  secrets: Pick<SecretStore, 'names' | 'set'>,
): Promise<ServerConfig> {
  const taken = takeSecrets(entry, await secrets.names());
  for (const { name, value } of taken.secrets) await secrets.set(name, value);
  return taken.server;
}
