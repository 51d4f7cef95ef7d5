import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, readFileSync, type Stats } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { OwnerError } from '../owner-error.ts';

/** Where the lease of one vault is, the same for every program of the user. */
export interface LeaseFolder {
  /** Holds `owner.json` and its lock; only the user may enter it. */
  readonly path: string;
  /** Names the vault among all others. */
  readonly hash: string;
  /** Folders that the owner tries for its socket, in this order; which one it took stands in `owner.json`. */
  readonly socketFolders: readonly string[];
}

/** Finds the lease of a vault by the vault's real path, whichever path or link leads to it. */
export async function leaseFolder(
  vault: string,
  folders: { readonly state: string },
  env: NodeJS.ProcessEnv = process.env,
): Promise<LeaseFolder> {
  const hash = createHash('sha256')
    .update(`${machineId()}\0${await realpath(vault)}`)
    .digest('hex')
    .slice(0, 16);
  const path = join(folders.state, 'owners', hash);
  const runtime = env.XDG_RUNTIME_DIR ?? '';
  const socketFolders = [
    path,
    // Emptied at logout, which an owner may outlive: only where the state folder does not do.
    ...(isAbsolute(runtime) ? [join(runtime, `errand-${hash}`)] : []),
    ...new Set(
      [tmpdir(), '/tmp'].map((base) => join(base, `errand-${process.getuid?.()}-${hash}`)),
    ),
  ];
  return { path, hash, socketFolders: socketFolders.filter(isShort) };
}

/** The file that says who owns the vault. */
export function ownerFile({ path }: LeaseFolder): string {
  return join(path, 'owner.json');
}

/** The address of an owner's socket in a folder, of its own for every owner. On Windows a pipe, which is in no folder. */
export function socketAddress(
  folder: string,
  { hash }: Pick<LeaseFolder, 'hash'>,
  nonce: string,
  os: NodeJS.Platform = process.platform,
): string {
  return os === 'win32' ? `\\\\.\\pipe\\errand-${hash}-${nonce}` : join(folder, `${nonce}.sock`);
}

/** Whether a folder is there and only this user may enter it. Throws when others may. */
export function isPrivateFolder(path: string): boolean {
  const flaw = flawOf(path);
  if (flaw === undefined || flaw === 'is not there') return flaw === undefined;
  throw new OwnerError(
    'not_private',
    path,
    `${path} ${flaw}, but the owner of a vault needs a folder that only your user can enter. ` +
      'Delete it, or give it to your user with the rights 0700, and try again.',
  );
}

/** Makes a folder that only this user may enter, unless it is there. Throws when others may enter it. */
export function makePrivateFolder(path: string, { parents = false } = {}): void {
  if (isPrivateFolder(path)) return;
  try {
    mkdirSync(path, { mode: 0o700, recursive: parents });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  isPrivateFolder(path);
}

function flawOf(path: string): string | undefined {
  const found = look(path);
  if (found === undefined) return 'is not there';
  if (found === 'hidden') return 'cannot be entered by your user';
  if (!found.isDirectory()) return 'is not a folder';
  if (process.getuid === undefined) return undefined;
  if (found.uid !== process.getuid()) return 'belongs to another user';
  return (found.mode & 0o077) === 0 ? undefined : 'is open to other users';
}

function look(path: string): Stats | 'hidden' | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EACCES') return 'hidden';
    throw error;
  }
}

/** The address of a socket has 104 bytes at most on macOS, 108 on Linux. */
function isShort(folder: string): boolean {
  return Buffer.byteLength(join(folder, '0123456789abcdef.sock')) < 100;
}

/** Tells machines apart that share a home folder: a socket is of one machine. Empty where it is unknown. */
function machineId(): string {
  try {
    return readFileSync('/etc/machine-id', 'utf8').trim();
  } catch {
    return '';
  }
}
