import {
  closeSync,
  linkSync,
  lstatSync,
  openSync,
  renameSync,
  type Stats,
  unlinkSync,
} from 'node:fs';
import { type OpenFolder, temporaryName } from '@errand/files';
import { VaultError } from '../vault-error.ts';

/** A file by its name in a folder that is held open. */
export interface Entry {
  readonly folder: OpenFolder;
  readonly name: string;
}

/**
 * Gives a file another name, if that is free: what is there is never replaced, not even when another
 * program puts it there at the same moment.
 */
export function moveEntry(source: Entry, target: Entry): void {
  const moving = look(source);
  if (moving === undefined || !moving.isFile()) throw gone(source);
  const taken = target.folder.find(target.name);
  if (taken !== undefined) {
    if (!isOtherSpelling(source, target, taken, moving)) throw occupied(target);
    renameSync(at(source), at(target));
  } else if (linkTo(source, target)) removeSource(source, target);
  else moveWithoutLink(source, target);
}

/** Whether an error says that this disk knows no hard links: FAT, some network and phone storage. */
export function hasNoHardLinks(error: unknown): boolean {
  const { code = '' } = error as NodeJS.ErrnoException;
  return ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(code);
}

/** Gives the file its second name; false on a disk without hard links. */
function linkTo(source: Entry, target: Entry): boolean {
  for (;;) {
    try {
      linkSync(at(source), at(target));
      return true;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EEXIST') throw occupied(target);
      if (code === 'EXDEV') throw elsewhere(target);
      if (hasNoHardLinks(error)) return false;
      if (code !== 'ENOENT') throw error;
      // Replaced by a new version while being linked: that one is moved instead.
      if (look(source) === undefined) throw gone(source);
    }
  }
}

/**
 * The target has its name; the source must lose its own. Removing it outright could destroy a version
 * that another program saved there this instant, so it is first taken aside and looked at.
 */
function removeSource(source: Entry, target: Entry): void {
  const linked = look(target);
  const aside = { folder: source.folder, name: temporaryName() };
  renameSync(at(source), at(aside));
  if (isSameFile(look(aside), linked)) unlinkSync(at(aside));
  else if (isSameFile(look(target), linked)) renameSync(at(aside), at(target));
  else {
    linkSync(at(aside), at(source));
    unlinkSync(at(aside));
    throw new VaultError(
      'conflict',
      `Another program changed ${pathOf(source)} and ${pathOf(target)} during the move. Both are kept.`,
    );
  }
}

/** The disk knows no links: an empty file reserves the name, and the note then takes its place. */
function moveWithoutLink(source: Entry, target: Entry): void {
  try {
    closeSync(openSync(at(target), 'wx'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw occupied(target);
    throw error;
  }
  renameSync(at(source), at(target));
}

/** A note may change the case or the Unicode form of its own name where the disk sees no difference. */
function isOtherSpelling(source: Entry, target: Entry, taken: string, moving: Stats): boolean {
  return (
    source.name !== target.name &&
    folded(source.name) === folded(taken) &&
    moving.nlink === 1 &&
    isSameFile(look({ ...target, name: taken }), moving)
  );
}

function folded(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

function isSameFile(one: Stats | undefined, other: Stats | undefined): boolean {
  return one !== undefined && one.ino === other?.ino && one.dev === other.dev;
}

function at({ folder, name }: Entry): string {
  return folder.at(name);
}

function look(entry: Entry): Stats | undefined {
  return lstatSync(at(entry), { throwIfNoEntry: false });
}

function pathOf({ folder, name }: Entry): string {
  return [...folder.segments, name].join('/');
}

function gone(entry: Entry): VaultError {
  const path = pathOf(entry);
  return new VaultError('not_found', `There is no note ${path} any more.`, { path });
}

function occupied(entry: Entry): VaultError {
  const path = pathOf(entry);
  return new VaultError(
    'conflict',
    `${path} exists already, and moving never overwrites. Choose another destination.`,
    { path },
  );
}

function elsewhere(entry: Entry): VaultError {
  return new VaultError(
    'invalid_input',
    `${pathOf(entry)} is on another disk than the note. Write the note there and delete this one.`,
  );
}
