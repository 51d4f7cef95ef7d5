import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { HostError } from '@errand/host';

/** Where to look for the vault of a note that was named on the command line. */
export function folderOf(note: string, cwd: string): string {
  let folder = dirname(resolve(cwd, note));
  // A note in a folder that is not there is missing, and so is the folder; its vault may still be there.
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}

/** A note's path in its vault, with forward slashes; throws when only its `.md` is missing. */
export function pathInVault(note: string, cwd: string, vaultFolder: string): string {
  const file = resolve(cwd, note);
  const inside = relative(vaultFolder, file);
  const isOutside = inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside);
  if (!isOutside) {
    const path = inside.split(sep).join('/');
    if (existsSync(file) || !existsSync(`${file}.md`)) return path;
    throw new HostError('note_unreadable', `There is no note ${path}. Did you mean ${path}.md?`);
  }
  throw new HostError(
    'note_unreadable',
    `${note} is not in the vault ${vaultFolder}. Name its own vault with --vault.`,
  );
}

/** Notes without those that name a file again, directly or by a link: its tools must not act twice. */
export async function distinctNotes(
  notes: readonly string[],
  cwd: string,
): Promise<readonly string[]> {
  const files = await Promise.all(
    notes.map((note) => {
      const file = resolve(cwd, note);
      return realpath(file).catch(() => file);
    }),
  );
  return notes.filter((_, index) => files.indexOf(files[index] ?? '') === index);
}
