import { closeSync, constants, fstatSync, lstatSync, openSync, type Stats } from 'node:fs';
import { VaultError } from '../vault-error.ts';
import { isNoteName, refuseHidden } from './note-path.ts';
import { followLink, openFolder } from './open-folder.ts';
import type { Vault } from './vault.ts';

/** A note's file, open for reading, that is certain to lie in the vault. */
export interface OpenNote extends Disposable {
  /** Its path from the vault's folder, as the disk spells it and without symbolic links. */
  readonly segments: readonly string[];
  readonly descriptor: number;
  readonly stats: Stats;
}

const maximumLinks = 16;

/** Opens a note. Links that stay in the vault are followed; pipes, devices and the like are refused. */
export function openNote(vault: Vault, segments: readonly string[]): OpenNote {
  let wanted = segments;
  for (let links = 0; links < maximumLinks; links++) {
    const opened = openOrFollow(vault, wanted);
    if ('descriptor' in opened) return opened;
    wanted = opened.redirected;
    refuseHidden(wanted);
    if (!isNoteName(wanted.at(-1) ?? '')) throw notANote(segments);
  }
  throw new VaultError(
    'permission_denied',
    `${segments.join('/')} goes through too many symbolic links.`,
  );
}

function openOrFollow(
  vault: Vault,
  wanted: readonly string[],
): OpenNote | { readonly redirected: string[] } {
  using folder = openFolder(vault, wanted.slice(0, -1));
  const name = folder.find(wanted.at(-1) ?? '');
  if (name === undefined) throw noSuchNote(wanted);
  const segments = [...folder.segments, name];
  const seen = lstatSync(folder.at(name));
  if (seen.isSymbolicLink()) return { redirected: followLink(vault, segments) };
  if (!seen.isFile()) throw notANote(segments);

  // Without O_NONBLOCK, a pipe put here since would hold the server until somebody writes to it.
  const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY } = constants;
  const descriptor = openSync(folder.at(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw notANote(segments);
    if (!vault.holdsFolders) refuseSwapped(vault, segments, stats);
    return { segments, descriptor, stats, [Symbol.dispose]: () => closeSync(descriptor) };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** Where folders cannot be held: what was opened must be what the checked path names afterwards. */
function refuseSwapped(vault: Vault, segments: readonly string[], opened: Stats): void {
  const real = followLink(vault, segments);
  using folder = openFolder(vault, real.slice(0, -1));
  const now = lstatSync(folder.at(real.at(-1) ?? ''));
  if (now.ino === opened.ino && now.dev === opened.dev) return;
  throw new VaultError(
    'conflict',
    `${segments.join('/')} was replaced while it was being opened. Try again.`,
  );
}

function noSuchNote(segments: readonly string[]): VaultError {
  const path = segments.join('/');
  return new VaultError('not_found', `There is no note ${path}. list_notes shows what there is.`, {
    path,
  });
}

function notANote(segments: readonly string[]): VaultError {
  const path = segments.join('/');
  return new VaultError('permission_denied', `${path} is not a plain file, so it is no note.`, {
    path,
  });
}
