import type { SecretStore } from '@errand/host';
import type { SecretStorage } from 'obsidian';

type Storage = Pick<SecretStorage, 'getSecret' | 'setSecret' | 'listSecrets'>;

/**
 * Secrets in Obsidian's own storage. A name that it would not take is spelled in hexadecimal digits.
 * It cannot remove one, so a removed secret is an empty one.
 */
export function openSecretStorage(storage: Storage): SecretStore {
  return {
    get: async (name) => storage.getSecret(idOf(name)) || undefined,
    set: async (name, value) => {
      if (value !== undefined || storage.getSecret(idOf(name)) !== null) {
        storage.setSecret(idOf(name), value ?? '');
      }
    },
    names: async () =>
      storage
        .listSecrets()
        .filter((id) => storage.getSecret(id))
        .map(nameOf)
        .sort(),
  };
}

const spelled = 'errand-hex-';

function idOf(name: string): string {
  if (/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name) && !name.startsWith(spelled)) return name;
  return spelled + Buffer.from(name).toString('hex');
}

function nameOf(id: string): string {
  return id.startsWith(spelled) ? Buffer.from(id.slice(spelled.length), 'hex').toString() : id;
}
