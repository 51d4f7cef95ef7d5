import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Folders that are looked into before a search gives up. */
const mostFolders = 20_000;

/**
 * The path of the note with this name, wherever in the vault it stands; of several, one that is least
 * deep. Links in notes name notes so. Hidden folders, and what links lead to, are not looked into.
 */
export async function findNote(
  vaultFolder: string,
  name: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const wanted = name.split('/').at(-1)?.toLowerCase();
  const folders = [''];
  for (let at = 0; at < folders.length && at < mostFolders; at += 1) {
    signal.throwIfAborted();
    const folder = folders[at] ?? '';
    const entries = await readdir(join(vaultFolder, folder), { withFileTypes: true }).catch(
      () => [],
    );
    for (const entry of entries) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isFile() && entry.name.toLowerCase() === wanted) return path;
      if (entry.isDirectory() && !entry.name.startsWith('.')) folders.push(path);
    }
  }
  return undefined;
}
