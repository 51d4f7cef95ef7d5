import { realpath } from 'node:fs/promises';
import {
  combineSecretStores,
  type OfferedSecrets,
  offerSecrets,
  type SecretScopes,
  type SecretStore,
  userFolders,
} from '@errand/host';
import {
  currentPlatform,
  openKeychain,
  openSecretFile,
  openSecretScopeFile,
} from '@errand/machine/node';

/** The user's secrets. The keychain is slow to open, and most commands never need one: it waits. */
export function openSecrets(): SecretStore {
  let opened: Promise<SecretStore> | undefined;
  const store = () => {
    opened ??= openKeychain().then((keychain) =>
      combineSecretStores(keychain, openSecretFile(userFolders(currentPlatform()).state)),
    );
    return opened;
  };
  return {
    get: async (name) => (await store()).get(name),
    set: async (name, value) => (await store()).set(name, value),
    names: async () => (await store()).names(),
  };
}

/** Which vaults the user's secrets were set for. */
export function openSecretScopes(): SecretScopes {
  return openSecretScopeFile(userFolders(currentPlatform()).state);
}

/** The user's secrets as the vault in a folder has them; one that is set there is set for it. */
export async function openVaultSecrets(folder: string): Promise<OfferedSecrets> {
  return offerSecrets(openSecrets(), openSecretScopes(), await realpath(folder));
}
