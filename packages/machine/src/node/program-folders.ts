import { homedir } from 'node:os';
import { delimiter, isAbsolute } from 'node:path';
import { isInFolder } from './is-in-folder.ts';
import { realPath } from './real-path.ts';

/**
 * The folders of a PATH that may be searched for programs: absolute, and outside the vault. An empty or
 * relative one means whatever folder a program happens to run in.
 */
export function programFolders(path: string, vaultFolder: string): readonly string[] {
  const vault = realPath(vaultFolder) ?? vaultFolder;
  // A vault around the home folder is no stranger's, and holds what the person installed.
  const isHome = isInFolder(vault, realPath(homedir()) ?? homedir());
  return path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .filter((folder) => isHome || !isInFolder(vault, realPath(folder) ?? folder));
}
