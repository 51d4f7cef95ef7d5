import { resolve } from 'node:path';
import type { DockerConfig } from '@errand/host';
import { HostError } from '@errand/host';
import { isInFolder } from '../node/is-in-folder.ts';
import { realPath } from '../node/real-path.ts';

/** Throws when a folder of the vault that is to be mounted leads out of it: such a link may have come later. */
export function rejectMountsOutsideVault(
  server: string,
  { mounts = [] }: DockerConfig,
  vaultFolder: string,
): void {
  const vault = realPath(vaultFolder) ?? vaultFolder;
  for (const { source } of mounts) {
    const path = resolve(vaultFolder, source);
    const real = realPath(path);
    if (real === undefined || !isInFolder(vaultFolder, path) || isInFolder(vault, real)) continue;
    throw new HostError(
      'settings_invalid',
      `Server "${server}" cannot start: ${path} leads out of the vault. Write where it leads to, ${real}, in "mounts" of its settings.`,
      { server, path: 'dockerConfig.mounts', neverSent: true },
    );
  }
}
