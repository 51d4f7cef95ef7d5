import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { HostError } from '@errand/host';

/** Where to look for the vault of a note that was named on the command line. */
export function folderOf(note: string, cwd: string): string {
  return dirname(resolve(cwd, note));
}

/** A note's path in its vault, with forward slashes. */
export function pathInVault(note: string, cwd: string, vaultFolder: string): string {
  const inside = relative(vaultFolder, resolve(cwd, note));
  const isOutside = inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside);
  if (!isOutside) return inside.split(sep).join('/');
  throw new HostError(
    'note_unreadable',
    `${note} is not in the vault ${vaultFolder}. Name its own vault with --vault.`,
  );
}
