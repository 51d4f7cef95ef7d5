import { type Dirent, readdirSync } from 'node:fs';
import { isHidden, isTemporaryName, type OpenFolder } from '@errand/files';
import { isNoteName, maximumDepth } from './note-path.ts';
import { openFolder } from './open-folder.ts';
import type { Vault } from './vault.ts';

/** What the walk meets: a folder, before its contents, one that is too deep to be entered, a note, or what a killed server left. */
export interface WalkedEntry {
  readonly kind: 'folder' | 'too-deep' | 'note' | 'leftover';
  readonly path: string;
  readonly name: string;
  /** The folder the entry is in, held open until the walk goes on. */
  readonly parent: OpenFolder;
}

/** Every note below a folder, each once: symbolic links are not walked. */
export function* walkNotes(vault: Vault, segments: readonly string[]): Generator<WalkedEntry> {
  using folder = openFolder(vault, segments);
  for (const entry of entriesOf(folder)) {
    const kind = kindOf(entry, folder.segments.length + 1);
    if (kind === undefined) continue;
    const path = [...folder.segments, entry.name];
    yield { kind, path: path.join('/'), name: entry.name, parent: folder };
    if (kind === 'folder') yield* walkBelow(vault, path);
  }
}

function kindOf(entry: Dirent, depth: number): WalkedEntry['kind'] | undefined {
  if (entry.isFile() && isTemporaryName(entry.name)) return 'leftover';
  if (isHidden(entry.name)) return undefined;
  if (entry.isDirectory()) return depth < maximumDepth ? 'folder' : 'too-deep';
  return entry.isFile() && isNoteName(entry.name) ? 'note' : undefined;
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
