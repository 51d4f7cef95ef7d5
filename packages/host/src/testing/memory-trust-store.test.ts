import { test } from 'vitest';
import { createMemoryTrustStore } from './memory-trust-store.ts';
import { trustStoreContract } from './trust-store-contract.ts';

for (const [name, holds] of Object.entries(trustStoreContract)) {
  test(name, () => holds(createMemoryTrustStore()));
}
