import type { SecretStore } from '../secret-store.ts';

/**
 * The keychain where there is one, and a file for what it cannot take. Both are asked for a secret: it
 * may have been set where there was no keychain, over SSH for example.
 */
export function combineSecretStores(
  keychain: SecretStore | undefined,
  file: SecretStore,
): SecretStore {
  if (keychain === undefined) return file;
  return {
    async get(name) {
      return (await file.get(name)) ?? (await keychain.get(name));
    },
    async set(name, value) {
      if (value === undefined) {
        await file.set(name, undefined);
        return keychain.set(name, undefined);
      }
      try {
        await keychain.set(name, value);
      } catch {
        // It is locked, or the value is too long for it: Windows takes 2,560 bytes.
        return file.set(name, value);
      }
      if ((await file.get(name)) !== undefined) await file.set(name, undefined);
    },
    async names() {
      return [...new Set([...(await keychain.names()), ...(await file.names())])].sort();
    },
  };
}
