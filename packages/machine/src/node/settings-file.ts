import { join } from 'node:path';
import {
  FilesError,
  type LocatedFile,
  locateFile,
  openContainedRoot,
  openFolder,
  readFileBelow,
  replaceFile,
  systemReason,
  withFileLock,
} from '@errand/files';
import type { LoadedSettings, Settings, SettingsStore } from '@errand/host';
import { HostError, SettingsText } from '@errand/host';
import { watchFileText } from './watch-file-text.ts';

const segments = ['.errand', 'settings.json'] as const;
const name = segments.join('/');
/** The file may be a link to another place in the vault, hidden or not. */
const policy = { links: 'inside' } as const;
/** A vault of a thousand servers has less than a tenth of it. */
const maximumSize = 16 * 1024 * 1024;

/** The settings of the vault in a folder, in `.errand/settings.json`; a missing file is defaults. */
export function openSettingsFile(vaultFolder: string): SettingsStore {
  const known = new SettingsText(name);
  const read = (signal?: AbortSignal) => readSettingsText(vaultFolder, signal);

  return {
    load: async (signal) => known.read(await read(signal)),
    save: store,
    watch(listener) {
      const path = join(vaultFolder, ...segments);
      return watchFileText(
        path,
        () => read(),
        (text) => {
          if (known.isNews(text)) listener();
        },
      );
    },
  };

  function store(
    change: (current: Settings) => Settings,
    signal?: AbortSignal,
  ): Promise<LoadedSettings> {
    return explained('written', async () => {
      using file = locate(vaultFolder);
      const apply = async () => {
        for (;;) {
          const before = await read(signal);
          // Known before the write: the watcher may see the file before the write returns.
          const { text, settings } = known.change(before, change);
          signal?.throwIfAborted();
          // A person's editor knows nothing of our lock: what it saved meanwhile is changed in turn.
          const isStillWanted = async () => (await read(signal)) === before;
          if (text === before || (await replaceFile(file, text, { isStillWanted })))
            return settings;
        }
      };
      return await withFileLock(file, apply, signal);
    });
  }
}

/** The text of a vault's settings; nothing when there is none. No link is followed out of the vault. */
function readSettingsText(vaultFolder: string, signal?: AbortSignal): Promise<string | undefined> {
  return explained('read', async () => {
    try {
      const root = openContainedRoot(vaultFolder);
      return (await readFileBelow(root, segments, { ...policy, maximumSize }, signal)).toString(
        'utf8',
      );
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  });
}

/** Where the file is, or where it will be. */
function locate(vaultFolder: string): LocatedFile {
  const root = openContainedRoot(vaultFolder);
  try {
    return locateFile(root, segments, policy);
  } catch (error) {
    if (!isMissing(error)) throw error;
    const folder = openFolder(root, segments.slice(0, -1), { ...policy, create: true });
    const file = segments[1];
    return { root, folder, name: file, segments, [Symbol.dispose]: folder[Symbol.dispose] };
  }
}

function isMissing(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown };
  return code === 'missing' || code === 'ENOENT';
}

async function explained<Result>(
  action: 'read' | 'written',
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    const advice = 'Check the rights of the file and its folder, and the space left.';
    if (cause instanceof FilesError && cause.code === 'too_large') {
      const why = 'it is larger than 16 MiB, which settings never are';
      const next = 'Look at what is in it, and shorten it or put an earlier version in its place.';
      throw refused(`${name} cannot be read: ${why}. ${next}`, cause);
    }
    if (cause instanceof FilesError) {
      throw refused(`${name} cannot be ${action}: ${cause.message}`, cause);
    }
    if (!(cause instanceof Error && 'syscall' in cause)) throw cause;
    throw refused(`${name} cannot be ${action} (${systemReason(cause)}). ${advice}`, cause);
  }
}

function refused(message: string, cause: Error): HostError {
  return new HostError('settings_invalid', message, {}, { cause });
}
