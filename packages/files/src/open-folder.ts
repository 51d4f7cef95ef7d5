import { closeSync, constants, lstatSync, mkdirSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ContainedRoot } from './contained-root.ts';
import { FilesError } from './files-error.ts';
import { followLink, type LinkOptions, maximumLinks, tooManyLinks } from './follow-link.ts';

/** A folder below a root, held open while something is done in it. */
export interface OpenFolder extends Disposable {
  /** Its path from the root, as the disk spells it. */
  readonly segments: readonly string[];
  /** The path of an entry of this very folder, even when the folder is moved or replaced meanwhile. */
  at(name: string): string;
  /** The entry's name as the disk spells it, or undefined when there is none. */
  find(name: string): string | undefined;
}

export interface FolderOptions extends LinkOptions {
  /** Makes the folders that are missing. */
  readonly create?: boolean;
  /** The rights of a folder that is made. */
  readonly mode?: number;
  /** Throws when no folder of this name should be made. */
  readonly checkNew?: (name: string) => void;
}

/**
 * Opens a folder by walking down from the root, one name at a time, never through a symbolic link.
 * A link is looked up and, when it may be followed, the walk begins again at the path it names.
 */
export function openFolder(
  root: ContainedRoot,
  segments: readonly string[],
  options: FolderOptions = {},
): OpenFolder {
  let wanted = segments;
  for (let links = 0; links < maximumLinks; links++) {
    const step = walkDown(root, wanted, options);
    if ('folder' in step) return step.folder;
    wanted = step.redirected;
  }
  throw tooManyLinks(segments);
}

type Step = { readonly folder: OpenFolder } | { readonly redirected: string[] };

function walkDown(root: ContainedRoot, wanted: readonly string[], options: FolderOptions): Step {
  let folder = holdRoot(root);
  for (const [index, name] of wanted.entries()) {
    using parent = folder;
    const next = enter(root, parent, name, options);
    if (next === 'link') {
      const reached = [...parent.segments, parent.find(name) ?? name];
      return { redirected: [...followLink(root, reached, options), ...wanted.slice(index + 1)] };
    }
    folder = next;
  }
  return { folder };
}

function holdRoot(root: ContainedRoot): OpenFolder {
  try {
    return hold(root, [], root.root);
  } catch (cause) {
    throw new FilesError('missing', [], () => `${root.root} is not there any more.`, { cause });
  }
}

function enter(
  root: ContainedRoot,
  parent: OpenFolder,
  name: string,
  { create = false, mode, checkNew }: FolderOptions,
): OpenFolder | 'link' {
  const straight = root.holdsFolders ? holdIfFolder(root, parent, name) : undefined;
  if (straight !== undefined) return straight;
  const found = parent.find(name);
  const spelled = found ?? name.normalize('NFC');
  const segments = [...parent.segments, spelled];
  if (found === undefined) {
    if (!create) throw new FilesError('missing', segments, (path) => `There is no folder ${path}.`);
    checkNew?.(spelled);
    makeFolder(parent.at(spelled), mode);
  }
  const stats = lstatSync(parent.at(spelled));
  if (stats.isSymbolicLink()) return 'link';
  if (!stats.isDirectory()) {
    throw new FilesError('not_a_folder', segments, (path) => `${path} is not a folder.`);
  }
  return hold(root, segments, parent.at(spelled));
}

/** Nearly every name is a folder's as it stands, and opening it without following links shows that. */
function holdIfFolder(
  root: ContainedRoot,
  parent: OpenFolder,
  name: string,
): OpenFolder | undefined {
  try {
    return hold(root, [...parent.segments, name], parent.at(name));
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (['ENOENT', 'ELOOP', 'ENOTDIR'].includes(code)) return undefined;
    throw error;
  }
}

function makeFolder(path: string, mode: number | undefined): void {
  try {
    mkdirSync(path, mode);
  } catch (error) {
    // Somebody else made it in the meantime; what it is gets checked next.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function hold(root: ContainedRoot, segments: readonly string[], path: string): OpenFolder {
  const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } = constants;
  if (!root.holdsFolders) {
    return { segments, ...entriesOf(join(root.root, ...segments)), [Symbol.dispose]() {} };
  }
  // A link that replaced the folder since it was looked at makes this fail: never followed.
  const descriptor = openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  return {
    segments,
    ...entriesOf(`/proc/self/fd/${descriptor}`),
    [Symbol.dispose]: () => closeSync(descriptor),
  };
}

function entriesOf(folder: string): Pick<OpenFolder, 'at' | 'find'> {
  const at = (name: string) => `${folder}/${name}`;
  return { at, find: (name) => findEntry(folder, at, name) };
}

/** Unicode writes `é` in two ways and disks keep either, so a name is found under both. */
function findEntry(folder: string, at: (name: string) => string, name: string): string | undefined {
  const spellings = new Set([name, name.normalize('NFC'), name.normalize('NFD')]);
  for (const spelling of spellings) {
    if (lstatSync(at(spelling), { throwIfNoEntry: false }) !== undefined) return spelling;
  }
  if (spellings.size === 1) return undefined;
  const composed = name.normalize('NFC');
  return readdirSync(folder).find((entry) => entry.normalize('NFC') === composed);
}
