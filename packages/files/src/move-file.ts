import {
  closeSync,
  linkSync,
  lstatSync,
  openSync,
  renameSync,
  type Stats,
  unlinkSync,
} from 'node:fs';
import type { LocatedFile } from './open-file.ts';
import { temporaryName } from './temporary-file.ts';

/** A file by its name in a folder that is held open. */
export type FileEntry = Pick<LocatedFile, 'folder' | 'name'>;

/** How a move ended. */
export type MoveOutcome =
  | 'moved'
  /** There is no file of that name, or something that is no file. */
  | 'missing'
  /** The new name is taken. */
  | 'occupied'
  /** The new name is on another disk. */
  | 'elsewhere'
  /** Another program changed both in the middle; both are kept. */
  | 'changed';

/**
 * Gives a file another name, if that is free: what is there is never replaced, not even when another
 * program puts it there at the same moment.
 */
export function moveFile(source: FileEntry, target: FileEntry): MoveOutcome {
  if (look(source)?.isFile() !== true) return 'missing';
  const linked = linkTo(source, target);
  if (linked === 'linked') return removeSource(source, target);
  return linked === 'no-links' ? moveWithoutLink(source, target) : linked;
}

/** Whether an error says that this disk knows no hard links: FAT, some network and phone storage. */
export function hasNoHardLinks(error: unknown): boolean {
  const { code = '' } = error as NodeJS.ErrnoException;
  return ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(code);
}

/** Gives the file its second name. */
function linkTo(source: FileEntry, target: FileEntry): MoveOutcome | 'linked' | 'no-links' {
  for (;;) {
    try {
      linkSync(at(source), at(target));
      return 'linked';
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EEXIST') return 'occupied';
      if (code === 'EXDEV') return 'elsewhere';
      if (hasNoHardLinks(error)) return 'no-links';
      if (code !== 'ENOENT') throw error;
      // Replaced by a new version while being linked: that one is moved instead.
      if (look(source) === undefined) return 'missing';
    }
  }
}

/**
 * The target has its name; the source must lose its own. Removing it outright could destroy a version
 * that another program saved there this instant, so it is first taken aside and looked at.
 */
function removeSource(source: FileEntry, target: FileEntry): MoveOutcome {
  const linked = look(target);
  const aside = { folder: source.folder, name: temporaryName() };
  renameSync(at(source), at(aside));
  if (isSameFile(look(aside), linked)) unlinkSync(at(aside));
  else if (isSameFile(look(target), linked)) renameSync(at(aside), at(target));
  else {
    linkSync(at(aside), at(source));
    unlinkSync(at(aside));
    return 'changed';
  }
  return 'moved';
}

/** The disk knows no links: an empty file reserves the name, and the file then takes its place. */
function moveWithoutLink(source: FileEntry, target: FileEntry): MoveOutcome {
  try {
    closeSync(openSync(at(target), 'wx'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return 'occupied';
    throw error;
  }
  renameSync(at(source), at(target));
  return 'moved';
}

function isSameFile(one: Stats | undefined, other: Stats | undefined): boolean {
  return one !== undefined && one.ino === other?.ino && one.dev === other.dev;
}

function at({ folder, name }: FileEntry): string {
  return folder.at(name);
}

function look(entry: FileEntry): Stats | undefined {
  return lstatSync(at(entry), { throwIfNoEntry: false });
}
