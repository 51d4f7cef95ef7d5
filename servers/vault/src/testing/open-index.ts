import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openVault } from '../files/vault.ts';
import { vaultLock } from '../files/vault-lock.ts';
import { VaultIndex, type VaultIndexOptions } from '../index/vault-index.ts';

/** Opens the index of a test's vault, beside the vault; it is closed with the test. */
export function openIndex(folder: string, options: Partial<VaultIndexOptions> = {}): VaultIndex {
  const cache = join(dirname(folder), 'cache');
  mkdirSync(cache, { recursive: true });
  const index = new VaultIndex({
    vault: openVault(folder),
    lock: vaultLock(undefined),
    file: join(cache, 'index.db'),
    watchLimit: 1000,
    now: Date.now,
    ...options,
  });
  onTestFinished(() => index[Symbol.asyncDispose]());
  return index;
}
