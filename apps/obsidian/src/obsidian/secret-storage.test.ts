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
