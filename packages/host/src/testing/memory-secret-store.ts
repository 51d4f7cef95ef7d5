import type { SecretStore } from '../secret-store.ts';

/** Secrets that live as long as a test. */
export function createMemorySecretStore(
  initial: Readonly<Record<string, string>> = {},
): SecretStore {
  const secrets = new Map(Object.entries(initial));
  return {
    get: async (name) => secrets.get(name),
    async set(name, value) {
      if (value === undefined) secrets.delete(name);
      else secrets.set(name, value);
    },
    names: async () => [...secrets.keys()].sort(),
  };
}
