import type { Insertion } from '@errand/workspace/suggestions';
import type { Editor } from 'obsidian';
import { changeInEditor } from '../open-notes.ts';

/** Writes into an editor in one step of undo, and puts the cursor where the person goes on. */
export function writeInto(editor: Editor, { edits, selection: [from, to] }: Insertion): void {
  changeInEditor(editor, edits);
  editor.setSelection(editor.offsetToPos(from), editor.offsetToPos(to));
  editor.focus();
}
