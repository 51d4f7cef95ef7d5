import { closeSync, constants, type Stats } from 'node:fs';
import { FilesError, type LocatedFile, locateFile, openFileInSync } from '@errand/files';
import { VaultError } from '../vault-error.ts';
import { isNoteName } from './note-path.ts';
import { inVaultTerms } from './open-folder.ts';
import type { Vault } from './vault.ts';

/** A note's file, open for reading, that is certain to lie in the vault. */
export interface OpenNote extends Disposable {
  /** Its path from the vault's folder, as the disk spells it and without symbolic links. */
  readonly segments: readonly string[];
  readonly descriptor: number;
  readonly stats: Stats;
}

/** Opens a note. Links that stay in the vault are followed; pipes, devices and the like are refused. */
export function openNote(vault: Vault, segments: readonly string[]): OpenNote {
  return inVaultTerms(vault, () => {
    using file = findNote(vault, segments);
    const { descriptor, stats } = openFileInSync(file, constants.O_RDONLY);
    return {
      segments: file.segments,
      descriptor,
      stats,
      [Symbol.dispose]: () => closeSync(descriptor),
    };
  });
}

/** Finds the file of a note, and holds its folder until that is disposed of. */
export function findNote(vault: Vault, segments: readonly string[]): LocatedFile {
  try {
    const file = locateFile(vault, segments);
    if (isNoteName(file.name)) return file;
    file[Symbol.dispose]();
    throw notANote(segments);
  } catch (error) {
    if (!(error instanceof FilesError)) throw error;
    if (error.code === 'not_a_file') throw notANote(segments);
    // A missing folder has a sentence of its own.
    if (error.code === 'missing' && error.path === segments.join('/')) throw noSuchNote(segments);
    throw error;
  }
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
