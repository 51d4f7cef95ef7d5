import {
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  realpathSync,
} from 'node:fs';
import { join, relative, sep } from 'node:path';
import { VaultError } from '../vault-error.ts';
import { refuseHidden, refuseUnportable } from './note-path.ts';
import type { Vault } from './vault.ts';

/** A folder of the vault, held open while something is done in it. */
export interface OpenFolder extends Disposable {
  /** Its path from the vault's folder, as the disk spells it. */
  readonly segments: readonly string[];
  /** The path of an entry of this very folder, even when the folder is moved or replaced meanwhile. */
  at(name: string): string;
  /** The entry's name as the disk spells it, or undefined when there is none. */
  find(name: string): string | undefined;
  /** For the system calls that need the folder itself; undefined where folders are not held. */
  readonly descriptor: number | undefined;
}

export interface OpenFolderOptions {
  /** Makes the folders that are missing. */
  readonly create?: boolean;
}

const maximumLinks = 16;

/**
 * Opens a folder by walking down from the vault, one name at a time, never through a symbolic link.
 * A link is looked up and, when it stays inside, the walk begins again at the place it names.
 */
export function openFolder(
  vault: Vault,
  segments: readonly string[],
  options: OpenFolderOptions = {},
): OpenFolder {
  let wanted = segments;
  for (let links = 0; links < maximumLinks; links++) {
    const step = walkDown(vault, wanted, options);
    if ('folder' in step) return step.folder;
    wanted = step.redirected;
    refuseHidden(wanted);
  }
  throw new VaultError(
    'permission_denied',
    `${segments.join('/')} goes through too many symbolic links.`,
  );
}

/** Where a symbolic link of the vault leads, as a path from the vault's folder. */
export function followLink(vault: Vault, segments: readonly string[]): string[] {
  const path = segments.join('/');
  let target: string;
  try {
    target = realpathSync.native(join(vault.root, ...segments));
  } catch (cause) {
    throw new VaultError(
      'permission_denied',
      `${path} is a symbolic link to something that does not exist, so it cannot be shown to stay in the vault.`,
      { path },
      { cause },
    );
  }
  const inside = relative(vault.root, target);
  if (inside === '..' || inside.startsWith(`..${sep}`) || join(vault.root, inside) !== target) {
    throw new VaultError(
      'permission_denied',
      `${path} is a symbolic link that leaves the vault. Move its target into the vault to use it.`,
      { path },
    );
  }
  return inside === '' ? [] : inside.split(sep);
}

type Step = { readonly folder: OpenFolder } | { readonly redirected: string[] };

function walkDown(vault: Vault, wanted: readonly string[], options: OpenFolderOptions): Step {
  let folder = holdRoot(vault);
  for (const [index, name] of wanted.entries()) {
    using parent = folder;
    const next = enter(vault, parent, name, options);
    if (next === 'link') {
      const reached = [...parent.segments, parent.find(name) ?? name];
      return { redirected: [...followLink(vault, reached), ...wanted.slice(index + 1)] };
    }
    folder = next;
  }
  return { folder };
}

function holdRoot(vault: Vault): OpenFolder {
  try {
    return hold(vault, [], vault.root);
  } catch (cause) {
    throw new VaultError(
      'not_found',
      `The vault ${vault.root} is not there any more. Bring it back, or start the server on another.`,
      undefined,
      { cause },
    );
  }
}

function enter(
  vault: Vault,
  parent: OpenFolder,
  name: string,
  { create = false }: OpenFolderOptions,
): OpenFolder | 'link' {
  const found = parent.find(name);
  const spelled = found ?? name.normalize('NFC');
  const segments = [...parent.segments, spelled];
  if (found === undefined) {
    if (!create) {
      throw new VaultError('not_found', `There is no folder ${segments.join('/')} in the vault.`, {
        path: segments.join('/'),
      });
    }
    refuseUnportable([spelled]);
    makeFolder(parent.at(spelled));
  }
  const stats = lstatSync(parent.at(spelled));
  if (stats.isSymbolicLink()) return 'link';
  if (!stats.isDirectory()) {
    throw new VaultError('not_found', `${segments.join('/')} is not a folder.`, {
      path: segments.join('/'),
    });
  }
  return hold(vault, segments, parent.at(spelled));
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    // Somebody else made it in the meantime; what it is gets checked next.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function hold(vault: Vault, segments: readonly string[], path: string): OpenFolder {
  const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } = constants;
  if (!vault.holdsFolders) {
    const folder = join(vault.root, ...segments);
    return { segments, descriptor: undefined, ...entriesOf(folder), [Symbol.dispose]() {} };
  }
  // A link that replaced the folder since it was looked at makes this fail: never followed.
  const descriptor = openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  return {
    segments,
    descriptor,
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
