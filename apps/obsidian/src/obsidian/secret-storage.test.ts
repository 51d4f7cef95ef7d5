import { secretStoreContract } from '@errand/host/testing';
import { expect, test } from 'vitest';
import { SecretStorage } from '../testing/page/secret-storage.ts';
import { openSecretStorage } from './secret-storage.ts';

for (const [promise, keepsIt] of Object.entries(secretStoreContract)) {
  test(promise, () => keepsIt(openSecretStorage(new SecretStorage())));
}

test('keeps a name that Obsidian takes as it is, so that it can be entered there', async () => {
  const storage = new SecretStorage();
  storage.setSecret('github-token', 'entered');
  expect(await openSecretStorage(storage).get('github-token')).toBe('entered');
});

test('reads what was stored under an encoded name', async () => {
  const storage = new SecretStorage();
  storage.setSecret(`errand-hex-${Buffer.from('GITHUB_TOKEN').toString('hex')}`, 'stored');
  const secrets = openSecretStorage(storage);
  expect(await secrets.get('GITHUB_TOKEN')).toBe('stored');
  expect(await secrets.names()).toEqual(['GITHUB_TOKEN']);
});

test.each([
  'GITHUB_PERSONAL_ACCESS_TOKEN',
  'x'.repeat(65),
  'errand-sha-0',
  'a name of words, ü and \u{1F511}',
  `${'LONG_'.repeat(40)}NAME`,
])('keeps a secret under the name %s', async (name) => {
  const storage = new SecretStorage();
  const secrets = openSecretStorage(storage);
  await secrets.set(name, 'two\nlines');
  await secrets.set(`${name}2`, 'second');
  expect(await secrets.get(name)).toBe('two\nlines');
  expect(await secrets.names()).toEqual([name, `${name}2`]);
  await secrets.set(name, undefined);
  expect(await secrets.get(name)).toBeUndefined();
  expect(await secrets.names()).toEqual([`${name}2`]);
});
