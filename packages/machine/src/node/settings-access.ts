import { closeSync, constants, readFileSync } from 'node:fs';
import {
  FilesError,
  type LocatedFile,
  locateFile,
  openContainedRoot,
  openFileInSync,
  openFolder,
  readFileBelow,
  systemReason,
} from '@errand/files';
import { HostError, holdsSettings } from '@errand/host';

/** A file that may hold the settings of a vault. */
export interface SettingsPlace {
  /** Its path in the vault. */
  readonly name: string;
  /** The folder that no link may lead out of. */
  readonly root: string;
  /** Its path from there. */
  readonly segments: readonly string[];
}

/** The file may be a link to another place in the vault, hidden or not. */
const policy = { links: 'inside' } as const;
/** A vault of a thousand servers has less than a tenth of it. */
const maximumSize = 16 * 1024 * 1024;

/** The text of a settings file; undefined when there is none. No link is followed out of its root. */
export function readSettingsText(
  { name, root, segments }: SettingsPlace,
  signal?: AbortSignal,
): Promise<string | undefined> {
  return explainSettings(name, 'read', async () => {
    try {
      const contained = openContainedRoot(root);
      const bytes = await readFileBelow(contained, segments, { ...policy, maximumSize }, signal);
      return bytes.toString('utf8');
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  });
}

/** Whether a file has settings in it; one that cannot be looked into may have some. */
export function mayHoldSettings({ name, root, segments }: SettingsPlace): boolean {
  try {
    using file = locateFile(openContainedRoot(root), segments, policy);
    const { descriptor, stats } = openFileInSync(file, constants.O_RDONLY);
    try {
      return stats.size > maximumSize || holdsSettings(readFileSync(descriptor, 'utf8'), name);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    return !isMissing(error);
  }
}

/** Where the file is, or where it will be. */
export function locateSettings(place: SettingsPlace): LocatedFile {
  try {
    return locateFile(openContainedRoot(place.root), place.segments, policy);
  } catch (error) {
    if (!isMissing(error)) throw error;
    return settingsEntry(place, { create: true });
  }
}

/** The entry of its folder that has the name of the file; a link is not followed. */
export function settingsEntry(
  place: SettingsPlace,
  options: { readonly create?: boolean } = {},
): LocatedFile {
  const root = openContainedRoot(place.root);
  const { segments } = place;
  const folder = openFolder(root, segments.slice(0, -1), { ...policy, ...options });
  const name = segments.at(-1) ?? '';
  return { root, folder, name, segments, [Symbol.dispose]: folder[Symbol.dispose] };
}

function isMissing(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown };
  return code === 'missing' || code === 'ENOENT';
}

/** Turns a failure of the disk into `settings_invalid` that names the file. */
export async function explainSettings<Result>(
  name: string,
  action: 'read' | 'written',
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    const advice = 'Check the permissions of the file and its folder, and the free disk space.';
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
