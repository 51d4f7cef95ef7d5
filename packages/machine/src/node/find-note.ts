import { walkFiles } from './walk-files.ts';

/**
 * The path of the note with this name, wherever in the vault it stands; of several, one that is least
 * deep. Links in notes name notes so.
 */
export async function findNote(
  vaultFolder: string,
  name: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const wanted = name.split('/').at(-1)?.toLowerCase();
  for await (const path of walkFiles(vaultFolder)) {
    signal.throwIfAborted();
    if (path.split('/').at(-1)?.toLowerCase() === wanted) return path;
  }
  return undefined;
}
