import { newSettings } from '../settings/read-settings.ts';
import { SettingsText } from '../settings/settings-text.ts';
import type { SettingsStore } from '../settings-store.ts';

const name = 'settings in memory';

/** Settings that live as long as a test; `write` is what another writer does to the file. */
export interface MemorySettingsStore extends SettingsStore {
  /** Without a text it takes the file away. */
  write(text: string | undefined): void;
  /** The text as it is stored now; empty when there is none. */
  text(): string;
}

/** A settings store without a file that behaves as the one with a file. */
export function createMemorySettingsStore(initial: string = newSettings): MemorySettingsStore {
  const known = new SettingsText(name);
  let text: string | undefined = initial;
  const listeners = new Set<() => void>();
  return {
    name,
    load: async () => known.read(text),
    async save(change) {
      const changed = known.change(text, change);
      text = changed.text;
      return changed.settings;
    },
    watch(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    write(written) {
      text = written;
      if (!known.isNews(text)) return;
      for (const listener of listeners) listener();
    },
    text: () => text ?? '',
  };
}
