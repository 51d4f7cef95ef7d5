import { join } from 'node:path';
import { FilesError, fileAt, withFileLock } from '@errand/files';
import { VaultError } from '../vault-error.ts';
import { Turns } from './turns.ts';

/** Lets one server at a time change a vault, so that a check and the change it allows stay together. */
export interface VaultLock {
  /** Runs the task while no other server of this vault runs one. */
  run<T>(task: () => T | Promise<T>): Promise<T>;
}

const patience = 5000;

/**
 * The lock of a vault, as a file in its cache folder. Without a cache folder only the tasks of this process
 * are kept apart.
 */
export function vaultLock(cache: string | undefined): VaultLock {
  const turns = new Turns();
  if (cache === undefined) return { run: (task) => turns.take('', async () => task()) };
  return {
    async run(task) {
      using file = await fileAt(join(cache, 'vault'));
      try {
        return await withFileLock(file, async () => task(), undefined, { patience });
      } catch (cause) {
        if (!(cause instanceof FilesError && cause.code === 'locked')) throw cause;
        throw new VaultError(
          'conflict',
          'Another server is busy changing this vault. Nothing was changed; try again.',
          undefined,
          { cause },
        );
      }
    },
  };
}
