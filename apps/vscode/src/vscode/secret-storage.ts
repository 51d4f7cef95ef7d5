import type { SecretStore } from '@errand/host';
import type { ExtensionContext } from 'vscode';

const prefix = 'errand.secret.';
const namesKey = 'errand.secretNames';

/** Secrets in the editor's own storage, which cannot list them: their names are kept beside, their values nowhere else. */
export function openSecretStorage({
  secrets,
  globalState,
}: Pick<ExtensionContext, 'secrets' | 'globalState'>): SecretStore {
  const names = () => globalState.get<readonly string[]>(namesKey, []);
  const remember = (all: readonly string[]) =>
    globalState.update(namesKey, [...new Set(all)].sort());
  return {
    get: async (name) => secrets.get(prefix + name),
    async set(name, value) {
      if (value === undefined) {
        await secrets.delete(prefix + name);
        await remember(names().filter((each) => each !== name));
      } else {
        await secrets.store(prefix + name, value);
        await remember([...names(), name]);
      }
    },
    names: async () => names(),
  };
}
