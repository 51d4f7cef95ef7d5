import { test } from 'vitest';
import { createMemorySecretStore } from './memory-secret-store.ts';
import { secretStoreContract } from './secret-store-contract.ts';

for (const [name, holds] of Object.entries(secretStoreContract)) {
  test(name, () => holds(createMemorySecretStore()));
}
