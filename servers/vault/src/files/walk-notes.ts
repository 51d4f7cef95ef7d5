import { type Dirent, readdirSync } from 'node:fs';
import { isHidden, isNoteName } from './note-path.ts';
import { type OpenFolder, openFolder } from './open-folder.ts';
import { isTemporaryName } from './temporary-file.ts';
import type { Vault } from './vault.ts';

/** What the walk meets: a folder, before its contents, a note, or what a killed server left. */
export interface WalkedEntry {
  readonly kind: 'folder' | 'note' | 'leftover';
  readonly path: string;
  readonly name: string;
  /** The folder the entry is in, held open until the walk goes on. */
  readonly parent: OpenFolder;
}

/** Every note below a folder, each once: symbolic links are not walked. */
export function* walkNotes(vault: Vault, segments: readonly string[]): Generator<WalkedEntry> {
  using folder = openFolder(vault, segments);
  for (const entry of entriesOf(folder)) {
    const kind = kindOf(entry);
    if (kind === undefined) continue;
    const path = [...folder.segments, entry.name];
    yield { kind, path: path.join('/'), name: entry.name, parent: folder };
    if (kind === 'folder') yield* walkBelow(vault, path);
  }
}

function kindOf(entry: Dirent): WalkedEntry['kind'] | undefined {
  if (entry.isFile() && isTemporaryName(entry.name)) return 'leftover';
  if (isHidden(entry.name)) return undefined;
  if (entry.isDirectory()) return 'folder';
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
