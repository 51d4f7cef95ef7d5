import { isInFolder } from './is-in-folder.ts';
import { realPath } from './real-path.ts';

/** Whether a file belongs to a vault, by its name or by where it leads. */
export function isInVault(path: string, vaultFolder: string): boolean {
  const real = realPath(vaultFolder) ?? vaultFolder;
  return (
    isInFolder(vaultFolder, path) ||
    isInFolder(real, path) ||
    isInFolder(real, realPath(path) ?? path)
  );
}
