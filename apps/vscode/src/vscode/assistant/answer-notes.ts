import { join } from 'node:path';
import type { NoteStore } from '@errand/host';
import { ensureInVault } from '@errand/machine/node';
import { Uri } from 'vscode';
import { editorNote } from '../notes/editor-note.ts';
import type { NoteOfVault } from '../vaults.ts';

/** The note that is answered in, and the others as they are, to be read. */
export function answerNotes(note: NoteOfVault): NoteStore {
  const own = editorNote(note);
  const { session } = note;
  return {
    ...own,
    async read(path, signal) {
      if (path === note.path) return own.read(path, signal);
      // What a link out of the vault leads to is nothing for a model.
      ensureInVault(session.folder, path);
      const other = { ...note, path, uri: Uri.file(join(session.folder, path)) };
      return editorNote(other).read(path, signal);
    },
  };
}
