import { changeSettings } from '../settings/change-settings.ts';
import { newSettings, readSettings } from '../settings/read-settings.ts';
import type { SettingsStore } from '../settings-store.ts';

const name = 'settings in memory';

/** Settings that live as long as a test; `write` is what another writer does to the file. */
export interface MemorySettingsStore extends SettingsStore {
  write(text: string): void;
  /** The text as it is stored now. */
  text(): string;
}

/** A settings store without a file that behaves as the one with a file. */
export function createMemorySettingsStore(initial: string = newSettings): MemorySettingsStore {
  let text = initial;
  const listeners = new Set<() => void>();
  return {
    load: async () => readSettings(text, name),
    async save(change) {
      const changed = changeSettings(text, name, change);
      text = changed.text;
      return changed.settings;
    },
    watch(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    write(written) {
      text = written;
      for (const listener of listeners) listener();
    },
    text: () => text,
  };
}
