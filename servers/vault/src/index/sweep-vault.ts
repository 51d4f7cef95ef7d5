import { lstatSync, unlinkSync } from 'node:fs';
import type { FolderWatch, TextReader } from '@errand/files';
import { isNoteName } from '../files/note-path.ts';
import type { Vault } from '../files/vault.ts';
import type { VaultLock } from '../files/vault-lock.ts';
import { type WalkedEntry, walkNotes } from '../files/walk-notes.ts';
import { type FileStamp, isSameVersion, type NoteTable, stampOf } from './note-table.ts';
import { Pace } from './pace.ts';

/** What is needed to keep the table of notes true to the disk. */
export interface SweepSurroundings {
  readonly vault: Vault;
  readonly lock: VaultLock;
  readonly notes: NoteTable;
  readonly reader: TextReader;
  readonly watch: FolderWatch;
  readonly tooDeep: Set<string>;
  readonly forget: (path: string) => void;
  readonly now: () => number;
}

/** Looks at the whole vault and brings the table up to date. */
export async function sweepVault(
  surroundings: SweepSurroundings,
  signal: AbortSignal,
): Promise<void> {
  const { notes, watch, vault, tooDeep, forget } = surroundings;
  const pace = new Pace();
  tooDeep.clear();
  const sweep = notes.beginSweep();
  watch.add('');
  for (const entry of walkNotes(vault, [])) {
    if (entry.kind === 'leftover') await tidyLeftover(surroundings, entry);
    else meet(surroundings, entry);
    await pace.breathe(signal);
  }
  for (const entry of [...notes.all()]) {
    if (entry.sweep !== sweep) forget(entry.path);
  }
}

/** Looks at one path that may have changed: a note, a folder, or nothing any more. */
export function refreshPath(surroundings: SweepSurroundings, path: string): void {
  const { notes, reader, watch, tooDeep, forget } = surroundings;
  const stats = reader.look(path);
  if (stats?.isFile() === true && isNoteName(path)) {
    const entry = notes.put(path, stampOf(stats));
    entry.sweep = notes.sweep;
    return;
  }
  forget(path);
  for (const deep of tooDeep) if (`${deep}/`.startsWith(`${path}/`)) tooDeep.delete(deep);
  const gone = new Set(notes.below(path));
  if (stats?.isDirectory() === true) {
    watch.add(path);
    for (const entry of walkSafely(surroundings, path)) {
      meet(surroundings, entry);
      gone.delete(entry.path);
    }
  } else watch.drop(path);
  for (const below of gone) forget(below);
}

function* walkSafely({ vault }: SweepSurroundings, path: string): Generator<WalkedEntry> {
  try {
    yield* walkNotes(vault, path.split('/'));
  } catch (error) {
    // Gone again, or not to be read: then nothing is in it.
    if (!(error instanceof Error) || !('code' in error)) throw error;
  }
}

function meet(surroundings: SweepSurroundings, { kind, path, name, parent }: WalkedEntry): void {
  const { notes, watch, tooDeep } = surroundings;
  if (kind === 'folder') watch.add(path);
  else if (kind === 'too-deep') tooDeep.add(path);
  else if (kind !== 'leftover') {
    const stats = lstatSync(parent.at(name), { throwIfNoEntry: false });
    if (stats?.isFile() === true) note(notes, path, stampOf(stats));
  }
}

function note(notes: NoteTable, path: string, stamp: FileStamp): void {
  const known = notes.get(path);
  const entry =
    known !== undefined && isSameVersion(known.stamp, stamp) ? known : notes.put(path, stamp);
  entry.sweep = notes.sweep;
}

const oldAge = 60 * 60_000;

/**
 * Removes what a killed server left half done. Under the lock a second name is never in use; a file
 * with one name may still be being written, unless it is old.
 */
async function tidyLeftover(
  { lock, now }: SweepSurroundings,
  { parent, name }: WalkedEntry,
): Promise<void> {
  const path = parent.at(name);
  try {
    await lock.run(() => {
      const stats = lstatSync(path, { throwIfNoEntry: false });
      if (stats === undefined) return;
      if (stats.nlink > 1 || now() - stats.mtimeMs > oldAge) unlinkSync(path);
    });
  } catch (error) {
    // A read-only vault, or a lock that is taken: it harms nobody until the next sweep.
    if (!(error instanceof Error) || !('code' in error)) throw error;
  }
}
