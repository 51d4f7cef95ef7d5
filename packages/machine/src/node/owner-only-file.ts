import { FilesError, openOwnerOnlyFile } from '@errand/files';
import { HostError, parseJson } from '@errand/host';
import { isRecord } from '@errand/wire';

/** A JSON file outside the vault that only its owner can read. */
interface OwnerOnlyFile {
  /** What it holds; nothing when it does not exist. */
  read(): Promise<unknown>;
  /** Replaces what it holds, one process at a time. */
  change(change: (current: unknown) => unknown): Promise<void>;
}

/** Opens such a file; it and its folder are made when something is first written. */
export function ownerOnlyFile(path: string): OwnerOnlyFile {
  const file = openOwnerOnlyFile(path);
  const parse = (text: string | undefined) =>
    text === undefined ? undefined : refuseNewer(parseJson(text, path).value, path);
  return {
    read: () => explained(path, 'read', async () => parse(await file.read())),
    change: (change) =>
      explained(path, 'written', () =>
        file.change((text) => `${JSON.stringify(change(parse(text)), undefined, 2)}\n`),
      ),
  };
}

/** What a newer version stores may be in any form; it must be neither read wrongly nor overwritten. */
function refuseNewer(value: unknown, path: string): unknown {
  if (!isRecord(value) || typeof value.version !== 'number' || value.version <= 1) return value;
  throw new HostError(
    'settings_invalid',
    `${path} has version ${value.version}, made by a newer Errand than this one, which reads version 1. Update Errand.`,
  );
}

/** Whoever once ran Errand as another user has a file here that is not theirs. */
async function explained<Result>(
  path: string,
  action: 'read' | 'written',
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof FilesError) {
      const message = `${path} cannot be ${action}: ${cause.message}`;
      throw new HostError('settings_invalid', message, {}, { cause });
    }
    if (!(cause instanceof Error && 'syscall' in cause)) throw cause;
    const message = `${path} cannot be ${action} (${cause.message}). Make it and its folder yours, and check the free disk space.`;
    throw new HostError('settings_invalid', message, {}, { cause });
  }
}
