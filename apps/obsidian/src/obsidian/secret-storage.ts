import { createHash } from 'node:crypto';
import type { SecretStore } from '@errand/host';
import type { SecretStorage } from 'obsidian';

type Storage = Pick<SecretStorage, 'getSecret' | 'setSecret' | 'listSecrets'>;

/**
 * Secrets in Obsidian's own storage. An id there has at most 64 lowercase letters, digits and single dashes:
 * any other name is encoded in hexadecimal, or hashed and stored beside the value when that is too long.
 * The storage cannot remove a secret, so a removed one is empty.
 */
export function openSecretStorage(storage: Storage): SecretStore {
  return {
    get: async (name) => read(storage, idOf(name))?.value,
    set: async (name, value = '') => {
      const id = idOf(name);
      if (value === '' && storage.getSecret(id) === null) return;
      const isHashed = id.startsWith(hashed) && value !== '';
      storage.setSecret(id, isHashed ? `${hexOf(name)}\n${value}` : value);
    },
    names: async () =>
      storage
        .listSecrets()
        .flatMap((id) => read(storage, id)?.name ?? [])
        .sort(),
  };
}

const encoded = 'errand-hex-';
const hashed = 'errand-sha-';
const longest = 64;

function idOf(name: string): string {
  const isTaken = name.startsWith(encoded) || name.startsWith(hashed);
  if (!isTaken && name.length <= longest && /^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)) return name;
  const hex = encoded + hexOf(name);
  if (hex.length <= longest) return hex;
  return hashed + createHash('sha256').update(name).digest('hex').slice(0, 40);
}

function hexOf(name: string): string {
  return Buffer.from(name).toString('hex');
}

function nameOf(hex: string): string {
  return Buffer.from(hex, 'hex').toString();
}

interface StoredSecret {
  readonly name: string;
  readonly value: string;
}

function read(storage: Storage, id: string): StoredSecret | undefined {
  const value = storage.getSecret(id);
  if (value === null || value === '') return undefined;
  if (id.startsWith(encoded)) return { name: nameOf(id.slice(encoded.length)), value };
  if (!id.startsWith(hashed)) return { name: id, value };
  const end = value.indexOf('\n');
  return { name: nameOf(value.slice(0, end)), value: value.slice(end + 1) };
}
