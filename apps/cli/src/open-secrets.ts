import { combineSecretStores, type SecretStore, userFolders } from '@errand/host';
import { currentPlatform, openKeychain, openSecretFile } from '@errand/host/node';

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
