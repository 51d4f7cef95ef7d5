import type { Editor } from 'obsidian';
import type { Writing } from '../../writing/writing.ts';
import { changeInEditor } from '../open-notes.ts';

/** Writes into an editor in one step of undo, and puts the cursor where the person goes on. */
export function writeInto(editor: Editor, { edits, selection: [from, to] }: Writing): void {
  changeInEditor(editor, edits);
  editor.setSelection(editor.offsetToPos(from), editor.offsetToPos(to));
  editor.focus();
}
