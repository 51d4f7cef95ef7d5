import {
  changeSettings,
  describeProblem,
  HostError,
  readSettings,
  type SettingsStore,
} from '@errand/host';
import type { DataAdapter } from 'obsidian';

type Files = Pick<DataAdapter, 'exists' | 'read' | 'write'>;

/** The plugin's data file as settings, and a way to say that another program wrote it. */
export interface PluginData extends SettingsStore {
  hasChanged(): Promise<void>;
  /** What is wrong in the file as it is now, one line each. */
  problems(): Promise<readonly string[]>;
}

const name = 'data.json';

/**
 * Settings in the plugin's data file. It is read and written as text, not through Obsidian's own
 * `loadData`: what a person wrote into it stays as it is, and a broken file is never taken for an empty one.
 */
export function openPluginData(files: Files, path: string): PluginData {
  const listeners = new Set<() => void>();
  let known: string | undefined;
  let queue: Promise<unknown> = Promise.resolve();
  const read = async () => ((await files.exists(path)) ? files.read(path) : undefined);

  return {
    async load() {
      known = await explained('read', read);
      return readSettings(known, name);
    },

    save(change) {
      const apply = async () => {
        const before = await read();
        const { text, settings } = changeSettings(before, name, change);
        known = text;
        if (text !== before) await files.write(path, text);
        return settings;
      };
      // One after the other: each changes what the one before has stored.
      const saved = queue.then(() => explained('written', apply));
      queue = saved.catch(() => {});
      return saved;
    },

    watch(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    async problems() {
      try {
        // Not `load`: what that has read is no longer news to the others.
        const { problems } = readSettings(await explained('read', read), name);
        return problems.map((problem) => describeProblem(problem, name));
      } catch (error) {
        if (error instanceof HostError) return [error.message];
        throw error;
      }
    },

    async hasChanged() {
      const text = await explained('read', read);
      if (text === known) return;
      known = text;
      for (const listener of listeners) listener();
    },
  };
}

async function explained<Result>(action: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof Error && 'syscall' in cause)) throw cause;
    const message = `The plugin's ${name} cannot be ${action} (${cause.message}). Check the rights of the file and its folder, and the space left.`;
    throw new HostError('settings_invalid', message, {}, { cause });
  }
}
