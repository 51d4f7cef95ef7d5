import {
  HostError,
  type LoadedSettings,
  type Settings,
  type SettingsStore,
  SettingsText,
} from '@errand/host';
import type { DataAdapter } from 'obsidian';

type Files = Pick<DataAdapter, 'exists' | 'read' | 'write'>;

/** The plugin's data file as settings, and a way to say that another program wrote it. */
export interface PluginData extends SettingsStore {
  hasChanged(): Promise<void>;
}

const name = 'data.json';

/**
 * Settings in the plugin's data file. It is read and written as text, not through Obsidian's own
 * `loadData`: what a person wrote into it stays as it is, and a broken file is never taken for an empty one.
 */
export function openPluginData(files: Files, path: string): PluginData {
  const listeners = new Set<() => void>();
  const known = new SettingsText(name);
  let queue: Promise<unknown> = Promise.resolve();
  const read = async () =>
    (await files.exists(path)) ? files.read(path).catch(nothingIfGone) : undefined;

  function store(change: (current: Settings) => Settings): Promise<LoadedSettings> {
    const apply = async () => {
      const before = await read();
      const { text, settings } = known.change(before, change);
      if (text !== before) await files.write(path, text);
      return settings;
    };
    // One after the other: each changes what the one before has stored.
    const saved = queue.then(() => explained('written', apply));
    queue = saved.catch(() => {});
    return saved;
  }

  return {
    load: async () => known.read(await explained('read', read)),
    save: store,

    watch(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    async hasChanged() {
      if (!known.isNews(await explained('read', read))) return;
      for (const listener of listeners) listener();
    },
  };
}

/** It may go between the question whether it is there and the reading. */
function nothingIfGone(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
  throw error;
}

async function explained<Result>(action: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof Error && 'syscall' in cause)) throw cause;
    const message = `The plugin's ${name} cannot be ${action} (${cause.message}). Check the permissions of the file and its folder, and the space left.`;
    throw new HostError('settings_invalid', message, {}, { cause });
  }
}
