import { test } from 'vitest';
import { createMemorySettingsStore } from './memory-settings-store.ts';
import { settingsStoreContract } from './settings-store-contract.ts';

for (const [name, holds] of Object.entries(settingsStoreContract)) {
  test(name, async () => {
    const store = createMemorySettingsStore();
    await holds({ store, write: store.write, text: store.text });
  });
}
