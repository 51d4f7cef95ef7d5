import { existsSync, readdirSync, statSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { nearestName } from '@errand/document';
import { HostError } from '@errand/host';

/** Where to look for the vault of a note that was named on the command line. */
export function folderOf(note: string, cwd: string): string {
  let folder = dirname(resolve(cwd, note));
  // A note in a folder that is not there is missing, and so is the folder; its vault may still be there.
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}

/** A note's path in its vault, with forward slashes; throws for a folder, and when another note was probably meant. */
export function pathInVault(note: string, cwd: string, vaultFolder: string): string {
  const file = resolve(cwd, note);
  const inside = relative(vaultFolder, file);
  const isOutside = inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside);
  if (!isOutside) {
    const path = inside.split(sep).join('/');
    const found = statSync(file, { throwIfNoEntry: false });
    if (found?.isDirectory()) throw new HostError('note_unreadable', isFolder(note, file));
    if (found !== undefined) return path;
    const advice = adviceForMissing(note, file);
    if (advice === undefined) return path;
    throw new HostError('note_unreadable', `There is no note ${path}. ${advice}`);
  }
  throw new HostError(
    'note_unreadable',
    `${note} is not in the vault ${vaultFolder}. Name its own vault with --vault.`,
  );
}

/** What was probably meant by a note that is not there, in words. */
function adviceForMissing(note: string, file: string): string | undefined {
  const [, named, line] = /^(.+):(\d+)$/.exec(note) ?? [];
  if (named !== undefined && existsSync(file.slice(0, -`:${line}`.length))) {
    if (Number(line) === 0) return 'Lines and blocks are counted from 1.';
    return `A block is chosen with: errand run ${named} --block ${line}`;
  }
  const notes = notesIn(dirname(file));
  const meant = notes.find((name) => name === `${basename(file)}.md`) ?? nearestNote(file, notes);
  return meant === undefined ? undefined : `Did you mean ${join(dirname(note), meant)}?`;
}

function nearestNote(file: string, notes: readonly string[]): string | undefined {
  const bare = (name: string) => name.replace(/\.md$/i, '');
  const meant = nearestName(bare(basename(file)), notes.map(bare));
  return notes.find((name) => bare(name) === meant);
}

/** The names of the notes directly in a folder, of one that can be read. */
function notesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => /\.md$/i.test(name) && !name.startsWith('.'));
  } catch {
    return [];
  }
}

function isFolder(note: string, file: string): string {
  const [first] = notesIn(file);
  const example = first === undefined ? '' : `, such as ${join(note, first)}`;
  return `${note} is a folder. Name a note in it${example}, or run all of them with: errand run --all`;
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
