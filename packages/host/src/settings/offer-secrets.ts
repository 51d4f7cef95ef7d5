import type { SecretScope, SecretScopes } from '../secret-scopes.ts';
import type { SecretStore } from '../secret-store.ts';

/** Secrets as one vault has them. */
export interface OfferedSecrets extends SecretStore {
  /** Whether a secret was set for this vault, or for all: nobody needs to be asked for it here. */
  offers(name: string): Promise<boolean>;
}

/** A secret store that remembers for which vault each secret is set. */
export function offerSecrets(
  store: SecretStore,
  scopes: SecretScopes,
  vault: string,
): OfferedSecrets {
  return {
    get: (name) => store.get(name),
    names: () => store.names(),
    async set(name, value) {
      await store.set(name, value);
      await scopes.save(name, (now) => (value === undefined ? undefined : withVault(now, vault)));
    },
    async offers(name) {
      const scope = (await scopes.load()).get(name);
      return scope === 'all' || scope?.includes(vault) === true;
    },
  };
}

/** A secret set for all vaults stays so when its value changes. */
function withVault(scope: SecretScope | undefined, vault: string): SecretScope {
  if (scope === 'all') return scope;
  return [...new Set([...(scope ?? []), vault])];
}
