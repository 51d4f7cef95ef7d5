import { join } from 'node:path';
import { HostError } from '../host-error.ts';
import { SettingsText } from '../settings/settings-text.ts';
import type { Settings } from '../settings.ts';
import type { LoadedSettings, SettingsStore } from '../settings-store.ts';
import { readIfThere } from './read-if-there.ts';
import { replaceFile } from './replace-file.ts';
import { watchFileText } from './watch-file-text.ts';
import { withFileLock } from './with-file-lock.ts';

const name = '.errand/settings.json';

/** The settings of the vault in a folder, in `.errand/settings.json`; a missing file is defaults. */
export function openSettingsFile(vaultFolder: string): SettingsStore {
  const path = join(vaultFolder, '.errand', 'settings.json');
  const known = new SettingsText(name);

  return {
    async load(signal) {
      return known.read(await explained('read', () => readIfThere(path, signal)));
    },
    save: (change, signal) => store(change, true, signal),
    remember: (change, signal) => store(change, false, signal),
    watch(listener) {
      return watchFileText(path, (text) => {
        if (known.isNews(text)) listener();
      });
    },
  };

  /** A file that is gone is only brought back by what a person wants changed. */
  function store(
    change: (current: Settings) => Settings,
    bringsBack: boolean,
    signal?: AbortSignal,
  ): Promise<LoadedSettings> {
    const apply = async () => {
      for (;;) {
        const before = await readIfThere(path, signal);
        const isKept = !bringsBack && known.isGone(before);
        // Known before the write: the watcher may see the file before the write returns.
        const { text, settings } = known.change(before, change);
        signal?.throwIfAborted();
        // A person's editor knows nothing of our lock: what it saved meanwhile is changed in turn.
        const isStillWanted = async () => (await readIfThere(path, signal)) === before;
        if (isKept || text === before || (await replaceFile(path, text, { isStillWanted })))
          return settings;
      }
    };
    return explained('written', () => withFileLock(path, apply, signal));
  }
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
