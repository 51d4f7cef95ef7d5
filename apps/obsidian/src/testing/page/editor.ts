import { redo, undo } from '@codemirror/commands';
import type { EditorView } from '@codemirror/view';
import type { EditorPosition, EditorTransaction } from 'obsidian';

/** Obsidian's editor over the real one. */
export class Editor {
  readonly #view: EditorView;

  constructor(view: EditorView) {
    this.#view = view;
  }

  getValue(): string {
    return this.#view.state.doc.toString();
  }

  getLine(line: number): string {
    return this.#view.state.doc.line(line + 1).text;
  }

  getCursor(side: 'from' | 'to' | 'head' | 'anchor' = 'head'): EditorPosition {
    return this.offsetToPos(this.#view.state.selection.main[side]);
  }

  setCursor(position: EditorPosition): void {
    this.#view.dispatch({ selection: { anchor: this.posToOffset(position) } });
  }

  setSelection(anchor: EditorPosition, head = anchor): void {
    const selection = { anchor: this.posToOffset(anchor), head: this.posToOffset(head) };
    this.#view.dispatch({ selection, scrollIntoView: true });
  }

  focus(): void {
    this.#view.focus();
  }

  offsetToPos(offset: number): EditorPosition {
    const line = this.#view.state.doc.lineAt(offset);
    return { line: line.number - 1, ch: offset - line.from };
  }

  posToOffset({ line, ch }: EditorPosition): number {
    return this.#view.state.doc.line(line + 1).from + ch;
  }

  /** Nobody promises that an editor learns the origin, so this one does not. */
  transaction({ changes = [], ...others }: EditorTransaction, _origin?: string): void {
    const [lacking] = Object.keys(others);
    if (lacking !== undefined)
      throw new Error(`HARNESS: ${lacking} of a transaction is not part of the shim.`);
    this.#view.dispatch({
      changes: changes.map(({ from, to, text }) => ({
        from: this.posToOffset(from),
        to: this.posToOffset(to ?? from),
        insert: text,
      })),
    });
  }

  undo(): void {
    undo(this.#view);
  }

  redo(): void {
    redo(this.#view);
  }
}
