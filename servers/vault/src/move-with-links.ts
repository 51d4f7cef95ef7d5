import { editNote } from './edit-note.ts';
import { type MovedNote, moveNoteFile } from './files/move-note-file.ts';
import { notePath } from './files/note-path.ts';
import { openNote } from './files/open-note.ts';
import { fromSystem } from './files/system-error.ts';
import type { QueryOptions } from './index/query-options.ts';
import { linkKey } from './note/resolve-link.ts';
import { type NoteMove, retargetLinks, retargetOwnLinks } from './note/retarget-links.ts';
import type { VaultContext } from './vault-context.ts';
import { VaultError } from './vault-error.ts';

export interface MovedWithLinks {
  readonly source: string;
  readonly destination: string;
  /** The notes whose links were changed. */
  readonly updated: readonly string[];
  /** The notes whose links should have been changed and could not be, with the reason. */
  readonly failed: readonly { readonly path: string; readonly reason: string }[];
}

/** Moves a note and makes the links to it, and its own, lead where they did. */
export async function moveWithLinks(
  context: VaultContext,
  source: string,
  destination: string,
  asking: QueryOptions,
): Promise<MovedWithLinks> {
  const { index, vault, lock } = context;
  const from = realPath(context, source);
  // Asked before the move: afterwards the links lead nowhere.
  const { links, namesakes } = await index.ask('backlinks', { path: from }, asking);
  const moved = await moveNoteFile(vault, lock, notePath(source), notePath(destination));
  index.changed(from, moved.to.join('/'));
  const move = await describeMove(context, moved, namesakes, asking);
  const linking = new Set(links.map(({ path }) => (path === from ? move.to : path)));
  linking.add(move.to);

  const updated: string[] = [];
  const failed: MovedWithLinks['failed'][number][] = [];
  for (const path of [...linking].sort()) {
    try {
      if (await retarget(context, path, move)) updated.push(path);
    } catch (error) {
      const known = error instanceof VaultError ? error : fromSystem(error);
      if (known === undefined) throw error;
      failed.push({ path, reason: known.message });
    }
  }
  return { source: from, destination: move.to, updated, failed };
}

function realPath({ vault }: VaultContext, path: string): string {
  using note = openNote(vault, notePath(path));
  return note.segments.join('/');
}

async function describeMove(
  { index }: VaultContext,
  moved: MovedNote,
  oldNamesakes: readonly string[],
  asking: QueryOptions,
): Promise<NoteMove> {
  const [from, to] = [moved.from.join('/'), moved.to.join('/')];
  const newNamesakes =
    linkKey(from) === linkKey(to)
      ? [...oldNamesakes.filter((path) => path !== from), to]
      : (await index.ask('backlinks', { path: to }, asking)).namesakes;
  return { from, to, oldNamesakes, newNamesakes };
}

/** Whether anything had to be changed. */
async function retarget(context: VaultContext, path: string, move: NoteMove): Promise<boolean> {
  let isChanged = false;
  const isMoved = path === move.to;
  await editNote(
    context,
    path,
    (text) => {
      const retargeted = isMoved
        ? retargetOwnLinks(text, move, (target) => isNote(context, target))
        : retargetLinks(text, path, move);
      isChanged = retargeted !== text;
      return retargeted;
    },
    {},
  );
  return isChanged;
}

function isNote({ vault }: VaultContext, path: string): boolean {
  try {
    using note = openNote(vault, notePath(path));
    return note.stats.isFile();
  } catch (error) {
    if (error instanceof VaultError || fromSystem(error) !== undefined) return false;
    throw error;
  }
}
