import type { EditorState, StateField } from '@codemirror/state';
import { editorInfoField, type MarkdownFileInfo } from 'obsidian';

/** Obsidian's types take CodeMirror's from its CommonJS side; they are the same. */
const infoField = editorInfoField as unknown as StateField<MarkdownFileInfo>;

/** The note of an editor; nothing in editors that have none. */
export function editorInfo(state: EditorState): MarkdownFileInfo | undefined {
  return state.field(infoField, false);
}
