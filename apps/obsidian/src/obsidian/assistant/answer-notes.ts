import { HostError, type NoteStore } from '@errand/host';
import { ensureInVault } from '@errand/machine/node';
import type { App, TFile } from 'obsidian';
import { noteOf, openText } from '../open-notes.ts';
import type { AnswerSteps } from './answer-steps.ts';

/**
 * The note that is answered in, followed through renames, and the others as they are, to be read. The
 * answer stays in the pane it began in, whose undo takes back all of it.
 */
export function answerNotes(
  app: App,
  vaultFolder: string,
  file: TFile,
  answer: object,
  steps: AnswerSteps,
): NoteStore {
  const own = noteOf(
    app,
    file,
    (editor, edits) => steps.write(answer, editor, edits),
    (editor) => steps.isIn(answer, editor),
  );
  const asked = file.path;
  return {
    ...own,
    async read(path, signal) {
      if (path === asked) return own.read(path, signal);
      const other = app.vault.getFileByPath(path);
      if (other === null) throw new HostError('note_unreadable', `There is no note ${path}.`);
      // Obsidian follows links; what one of them leads to outside is nothing for a model.
      ensureInVault(vaultFolder, path);
      return openText(app, path) ?? app.vault.cachedRead(other);
    },
  };
}
