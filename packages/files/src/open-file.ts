import { closeSync, constants, fstatSync, lstatSync, openSync, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { ContainedRoot } from './contained-root.ts';
import { FilesError } from './files-error.ts';
import {
  followLink,
  type LinkOptions,
  maximumLinks,
  realPathOf,
  tooManyLinks,
} from './follow-link.ts';
import { type OpenFolder, openFolder } from './open-folder.ts';

/** A file by its name in the folder that it really stands in. The folder is held until this is disposed of. */
export interface LocatedFile extends Disposable {
  readonly root: ContainedRoot;
  readonly folder: OpenFolder;
  readonly name: string;
  /** Its path from the root, as the disk spells it and without symbolic links. */
  readonly segments: readonly string[];
}

/** Finds the file that a path leads to. Links that may be followed are; pipes, devices and folders are refused. */
export function locateFile(
  root: ContainedRoot,
  segments: readonly string[],
  options: LinkOptions = {},
): LocatedFile {
  let wanted = segments;
  for (let links = 0; links < maximumLinks; links++) {
    const step = locateOrFollow(root, wanted, options);
    if ('located' in step) return step.located;
    wanted = step.redirected;
  }
  throw tooManyLinks(segments);
}

/** Opens a file of a held folder. A link in its place, also one put there this moment, is not followed. */
export async function openFileIn(
  { root, folder, name }: Pick<LocatedFile, 'root' | 'folder' | 'name'>,
  flags: number,
  mode?: number,
): Promise<FileHandle> {
  refuseOtherKinds(root, folder, name);
  const handle = await open(folder.at(name), flags | safely, mode);
  try {
    checkOpened(root, [...folder.segments, name], await handle.stat());
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** The same without waiting; the descriptor is the caller's to close. */
export function openFileInSync(
  { root, folder, name }: Pick<LocatedFile, 'root' | 'folder' | 'name'>,
  flags: number,
  mode?: number,
): { readonly descriptor: number; readonly stats: Stats } {
  refuseOtherKinds(root, folder, name);
  const descriptor = openSync(folder.at(name), flags | safely, mode);
  try {
    const stats = fstatSync(descriptor);
    checkOpened(root, [...folder.segments, name], stats);
    return { descriptor, stats };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

// Without O_NONBLOCK, a pipe put here since would hold us until somebody writes to it.
const { O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
const safely = O_NOFOLLOW | O_NONBLOCK;

type Step = { readonly located: LocatedFile } | { readonly redirected: string[] };

function locateOrFollow(
  root: ContainedRoot,
  wanted: readonly string[],
  options: LinkOptions,
): Step {
  const folder = openFolder(root, wanted.slice(0, -1), options);
  let isKept = false;
  try {
    const name = folder.find(wanted.at(-1) ?? '');
    if (name === undefined) {
      throw new FilesError('missing', wanted, (path) => `There is no file ${path}.`);
    }
    const segments = [...folder.segments, name];
    const found = lstatSync(folder.at(name));
    if (found.isSymbolicLink()) return { redirected: followLink(root, segments, options) };
    if (!found.isFile()) throw notAFile(segments);
    isKept = true;
    return { located: { root, folder, name, segments, [Symbol.dispose]: folder[Symbol.dispose] } };
  } finally {
    if (!isKept) folder[Symbol.dispose]();
  }
}

/** Only a plain file, or nothing yet, may stand where a file is to be opened. */
function refuseOtherKinds(root: ContainedRoot, folder: OpenFolder, name: string): void {
  const found = lstatSync(folder.at(name), { throwIfNoEntry: false });
  const segments = [...folder.segments, name];
  if (found?.isSymbolicLink()) followLink(root, segments, { links: 'none' });
  if (found?.isFile() === false) throw notAFile(segments);
}

function checkOpened(root: ContainedRoot, segments: readonly string[], opened: Stats): void {
  if (!opened.isFile()) throw notAFile(segments);
  if (!root.holdsFolders) refuseSwapped(root, segments, opened);
}

/** Where folders cannot be held: what was opened must be what the checked path names afterwards. */
function refuseSwapped(root: ContainedRoot, segments: readonly string[], opened: Stats): void {
  const now = fileNow(root, segments);
  if (now !== undefined && now.ino === opened.ino && now.dev === opened.dev) return;
  throw new FilesError(
    'replaced',
    segments,
    (path) => `${path} was replaced while it was being opened. Try again.`,
  );
}

function fileNow(root: ContainedRoot, segments: readonly string[]): Stats | undefined {
  try {
    const real = realPathOf(root, segments);
    if (real === undefined) return undefined;
    using folder = openFolder(root, real.slice(0, -1), { links: 'none' });
    return lstatSync(folder.at(real.at(-1) ?? ''), { throwIfNoEntry: false });
  } catch (error) {
    if (error instanceof FilesError) return undefined;
    throw error;
  }
}

function notAFile(segments: readonly string[]): FilesError {
  return new FilesError('not_a_file', segments, (path) => `${path} is not a plain file.`);
}
