import { type Dirent, readdirSync } from 'node:fs';
import { isHidden, isNoteName } from './note-path.ts';
import { type OpenFolder, openFolder } from './open-folder.ts';
import type { Vault } from './vault.ts';

/** What the walk meets: a folder, before its contents, or a note. */
export interface WalkedEntry {
  readonly kind: 'folder' | 'note';
  readonly path: string;
  readonly name: string;
  /** The folder the entry is in, held open until the walk goes on. */
  readonly parent: OpenFolder;
}

export interface WalkOptions {
  readonly recursive?: boolean;
}

/** Every note below a folder, each once: symbolic links are not walked. */
export function* walkNotes(
  vault: Vault,
  segments: readonly string[],
  { recursive = true }: WalkOptions = {},
): Generator<WalkedEntry> {
  using folder = openFolder(vault, segments);
  for (const entry of entriesOf(folder)) {
    const isFolder = entry.isDirectory();
    const isNote = entry.isFile() && isNoteName(entry.name);
    if (isHidden(entry.name) || !(isFolder || isNote)) continue;
    const path = [...folder.segments, entry.name];
    yield {
      kind: isFolder ? 'folder' : 'note',
      path: path.join('/'),
      name: entry.name,
      parent: folder,
    };
    if (isFolder && recursive) yield* walkBelow(vault, path);
  }
}

function* walkBelow(vault: Vault, segments: readonly string[]): Generator<WalkedEntry> {
  try {
    yield* walkNotes(vault, segments);
  } catch (error) {
    // A folder that vanished, or that nobody may read, hides only itself.
    if (!(error instanceof Error) || !('code' in error)) throw error;
  }
}

function entriesOf(folder: OpenFolder): Dirent[] {
  return readdirSync(folder.at('.'), { withFileTypes: true });
}
