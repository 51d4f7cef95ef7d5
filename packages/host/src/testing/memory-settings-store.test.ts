import { test } from 'vitest';
import { createMemorySettingsStore } from './memory-settings-store.ts';
import { settingsStoreContract } from './settings-store-contract.ts';

for (const [name, holds] of Object.entries(settingsStoreContract)) {
  test(name, async () => {
    const store = createMemorySettingsStore();
    const remove = () => store.write(undefined);
    await holds({ store, write: store.write, remove, text: store.text });
  });
}
