import { join } from 'node:path';
import { HostError } from '../host-error.ts';
import { changeSettings } from '../settings/change-settings.ts';
import { readSettings } from '../settings/read-settings.ts';
import type { SettingsStore } from '../settings-store.ts';
import { readIfThere } from './read-if-there.ts';
import { replaceFile } from './replace-file.ts';
import { watchFileText } from './watch-file-text.ts';
import { withFileLock } from './with-file-lock.ts';

const name = '.errand/settings.json';

/** The settings of the vault in a folder, in `.errand/settings.json`; a missing file is defaults. */
export function openSettingsFile(vaultFolder: string): SettingsStore {
  const path = join(vaultFolder, '.errand', 'settings.json');
  /** The text this store last read or wrote, if any; another text is another writer's. */
  let known: { readonly text: string | undefined } | undefined;

  return {
    async load(signal) {
      const text = await explained('read', () => readIfThere(path, signal));
      known = { text };
      return readSettings(text, name);
    },

    save(change, signal) {
      const apply = async () => {
        for (;;) {
          const before = await readIfThere(path, signal);
          const { text, settings } = changeSettings(before, name, change);
          // Set before the write: the watcher may see the file before the write returns.
          known = { text };
          signal?.throwIfAborted();
          // A person's editor knows nothing of our lock: what it saved meanwhile is changed in turn.
          const isStillWanted = async () => (await readIfThere(path, signal)) === before;
          if (text === before || (await replaceFile(path, text, { isStillWanted })))
            return settings;
        }
      };
      return explained('written', () => withFileLock(path, apply, signal));
    },

    watch(listener) {
      return watchFileText(path, (text) => {
        const isNews = known !== undefined && known.text !== text;
        known = { text };
        if (isNews) listener();
      });
    },
  };
}

async function explained<Result>(
  action: 'read' | 'written',
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof Error && 'syscall' in cause)) throw cause;
    const message = `${name} cannot be ${action} (${cause.message}). Check the rights of the file and its folder, and the space left.`;
    throw new HostError('settings_invalid', message, {}, { cause });
  }
}
