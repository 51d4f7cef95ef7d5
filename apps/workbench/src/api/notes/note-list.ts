import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isNoteName, isShown } from './vault-path.ts';

/** The notes and folders of a vault, by path. */
export interface VaultTree {
  readonly notes: readonly string[];
  readonly folders: readonly string[];
  /** There are more notes than are listed. */
  readonly isCut: boolean;
}

const most = 100_000;

/** Walks a vault. Links are not followed, so that every note is met once and none outside. */
export async function listNotes(folder: string): Promise<VaultTree> {
  const notes: string[] = [];
  const folders: string[] = [];
  const walk = async (path: string): Promise<void> => {
    folders.push(path);
    // A folder that vanished, or that nobody may read, hides only itself.
    const entries = await readdir(join(folder, path), { withFileTypes: true }).catch(() => []);
    const below: string[] = [];
    for (const entry of entries) {
      const child = path === '' ? entry.name : `${path}/${entry.name}`;
      if (entry.isDirectory() && isShown(entry.name)) below.push(child);
      else if (entry.isFile() && isNoteName(entry.name) && notes.length < most) notes.push(child);
    }
    await Promise.all(below.map(walk));
  };
  await walk('');
  return { notes: notes.sort(byName), folders, isCut: notes.length >= most };
}

// One collator for all: asking each text for its own is a hundred times slower.
const { compare: byName } = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
