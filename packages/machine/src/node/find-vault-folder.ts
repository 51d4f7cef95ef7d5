import { stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { findVault, type Vault } from '@errand/host';

/** The vault that a folder, or the current one, belongs to. */
export function findVaultFolder(start: string = process.cwd()): Promise<Vault> {
  const folders: [string, ...string[]] = [resolve(start)];
  for (let folder = folders[0]; dirname(folder) !== folder; folder = dirname(folder)) {
    folders.push(dirname(folder));
  }
  return findVault(folders, (folder, name) =>
    stat(join(folder, name)).then(
      (found) => found.isDirectory(),
      () => false,
    ),
  );
}
