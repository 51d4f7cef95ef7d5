import { realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { ApiError } from '../http/api-error.ts';

/** Whether a name is of a file or folder that a vault shows. */
export function isShown(name: string): boolean {
  return !name.replace(/\p{Cf}/gu, '').startsWith('.');
}

export function isNoteName(name: string): boolean {
  return isShown(name) && /\.md$/i.test(name);
}

/** A note's path as it was asked for; throws when it is none, or leads out of the vault. */
export async function notePath(folder: string, asked: string | undefined): Promise<string> {
  const path = await vaultPath(folder, asked);
  if (isNoteName(path.split('/').at(-1) ?? '')) return path;
  throw new ApiError('invalid_input', `${path} is not a note: notes end in .md.`);
}

/**
 * A path inside the vault as it was asked for. Its letters must not lead elsewhere, and neither may
 * a link on the way.
 */
export async function vaultPath(folder: string, asked: string | undefined): Promise<string> {
  if (asked === undefined || asked === '') {
    throw new ApiError('invalid_input', 'Name a file of the vault, as ?path=Folder/Name.md');
  }
  const names = asked.split('/');
  const isInside = names.every((name) => name !== '' && isShown(name) && !/[\\\0]/.test(name));
  // On Windows a colon opens a drive or a second stream of a file.
  const hasDrive = process.platform === 'win32' && asked.includes(':');
  if (!isInside || hasDrive || !asked.isWellFormed()) throw outside(asked);
  const [root, target] = await Promise.all([realpath(folder), reached(join(folder, asked))]);
  if (target !== undefined && !target.startsWith(root + sep)) throw outside(asked);
  return asked;
}

async function reached(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch (error) {
    // A missing file is reported when it is read.
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENAMETOOLONG') return undefined;
    throw error;
  }
}

function outside(asked: string): ApiError {
  const message = `${JSON.stringify(asked.slice(0, 200))} is not a path of this vault. Hidden folders and what is outside cannot be opened here.`;
  return new ApiError('forbidden', message);
}
