import { HostError, type NoteStore } from '@errand/host';
import type { App, TFile } from 'obsidian';
import { noteOf, openText, type WriteInEditor } from '../open-notes.ts';

/** The note that is answered in, followed through renames, and the others as they are, to be read. */
export function answerNotes(app: App, file: TFile, write: WriteInEditor): NoteStore {
  const own = noteOf(app, file, write);
  const asked = file.path;
  return {
    ...own,
    async read(path, signal) {
      if (path === asked) return own.read(path, signal);
      const other = app.vault.getFileByPath(path);
      if (other === null) throw new HostError('note_unreadable', `There is no note ${path}.`);
      return openText(app, path) ?? app.vault.cachedRead(other);
    },
  };
}
