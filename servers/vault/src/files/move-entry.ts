import { lstatSync, renameSync, type Stats } from 'node:fs';
import { type FileEntry, moveFile } from '@errand/files';
import { VaultError } from '../vault-error.ts';

/**
 * Gives a file another name, if that is free: what is there is never replaced, not even when another
 * program puts it there at the same moment.
 */
export function moveEntry(source: FileEntry, target: FileEntry): void {
  const moving = look(source);
  if (moving === undefined || !moving.isFile()) throw gone(source);
  const taken = target.folder.find(target.name);
  if (taken !== undefined) {
    if (!isOtherSpelling(source, target, taken, moving)) throw occupied(target);
    renameSync(at(source), at(target));
    return;
  }
  switch (moveFile(source, target)) {
    case 'moved':
      return;
    case 'missing':
      throw gone(source);
    case 'occupied':
      throw occupied(target);
    case 'elsewhere':
      throw elsewhere(target);
    case 'changed':
      throw new VaultError(
        'conflict',
        `Another program changed ${pathOf(source)} and ${pathOf(target)} during the move. Both are kept.`,
      );
  }
}

/** A note may change the case or the Unicode form of its own name where the disk sees no difference. */
function isOtherSpelling(
  source: FileEntry,
  target: FileEntry,
  taken: string,
  moving: Stats,
): boolean {
  const there = look({ ...target, name: taken });
  return (
    source.name !== target.name &&
    folded(source.name) === folded(taken) &&
    moving.nlink === 1 &&
    moving.ino === there?.ino &&
    moving.dev === there.dev
  );
}

function folded(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

function at({ folder, name }: FileEntry): string {
  return folder.at(name);
}

function look(entry: FileEntry): Stats | undefined {
  return lstatSync(at(entry), { throwIfNoEntry: false });
}

function pathOf({ folder, name }: FileEntry): string {
  return [...folder.segments, name].join('/');
}

function gone(entry: FileEntry): VaultError {
  const path = pathOf(entry);
  return new VaultError('not_found', `There is no note ${path} any more.`, { path });
}

function occupied(entry: FileEntry): VaultError {
  const path = pathOf(entry);
  return new VaultError(
    'conflict',
    `${path} exists already, and moving never overwrites. Choose another destination.`,
    { path },
  );
}

function elsewhere(entry: FileEntry): VaultError {
  return new VaultError(
    'invalid_input',
    `${pathOf(entry)} is on another disk than the note. Write the note there and delete this one.`,
  );
}
