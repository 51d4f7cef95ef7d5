import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Folders that are looked into before a walk gives up. */
const maxFolders = 20_000;

/**
 * The files of a vault, those that are least deep first. Hidden folders, and what links lead to, are not
 * looked into.
 */
export async function* walkFiles(vaultFolder: string): AsyncGenerator<string, void> {
  const folders = [''];
  for (let at = 0; at < folders.length && at < maxFolders; at += 1) {
    const folder = folders[at] ?? '';
    const entries = await readdir(join(vaultFolder, folder), { withFileTypes: true }).catch(
      () => [],
    );
    for (const entry of entries) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isFile()) yield path;
      if (entry.isDirectory() && !entry.name.startsWith('.')) folders.push(path);
    }
  }
}
