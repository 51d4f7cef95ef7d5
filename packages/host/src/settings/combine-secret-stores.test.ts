import { expect, test } from 'vitest';
import type { SecretStore } from '../secret-store.ts';
import { createMemorySecretStore } from '../testing/memory-secret-store.ts';
import { secretStoreContract } from '../testing/secret-store-contract.ts';
import { combineSecretStores } from './combine-secret-stores.ts';

for (const [name, holds] of Object.entries(secretStoreContract)) {
  test(name, () =>
    holds(combineSecretStores(createMemorySecretStore(), createMemorySecretStore())),
  );
}

test('finds what was set where there was no keychain, and moves it when it is set again', async () => {
  const keychain = createMemorySecretStore();
  const file = createMemorySecretStore({ a: 'old' });
  const both = combineSecretStores(keychain, file);
  expect(await both.get('a')).toBe('old');
  await both.set('a', 'new');
  expect(await both.get('a')).toBe('new');
  expect(await file.names()).toEqual([]);
  expect(await keychain.get('a')).toBe('new');
});

test('keeps in the file what the keychain does not take, and that one counts', async () => {
  const keychain: SecretStore = {
    ...createMemorySecretStore({ a: 'old' }),
    set: () => Promise.reject(new Error('too long')),
  };
  const both = combineSecretStores(keychain, createMemorySecretStore());
  await both.set('a', 'new');
  expect(await both.get('a')).toBe('new');
});
