import { redo, undo } from '@codemirror/commands';
import type { EditorView } from '@codemirror/view';

interface Position {
  readonly line: number;
  readonly ch: number;
}

interface Change {
  readonly from: Position;
  readonly to?: Position;
  readonly text: string;
}

/** Obsidian's editor over the real one. */
export class Editor {
  readonly #view: EditorView;

  constructor(view: EditorView) {
    this.#view = view;
  }

  getValue(): string {
    return this.#view.state.doc.toString();
  }

  getCursor(): Position {
    return this.offsetToPos(this.#view.state.selection.main.head);
  }

  setCursor(position: Position): void {
    this.#view.dispatch({ selection: { anchor: this.posToOffset(position) } });
  }

  offsetToPos(offset: number): Position {
    const line = this.#view.state.doc.lineAt(offset);
    return { line: line.number - 1, ch: offset - line.from };
  }

  posToOffset({ line, ch }: Position): number {
    return this.#view.state.doc.line(line + 1).from + ch;
  }

  transaction({ changes = [] }: { readonly changes?: readonly Change[] }, origin?: string): void {
    this.#view.dispatch({
      changes: changes.map(({ from, to = from, text }) => ({
        from: this.posToOffset(from),
        to: this.posToOffset(to),
        insert: text,
      })),
      ...(origin !== undefined && { userEvent: origin }),
    });
  }

  undo(): void {
    undo(this.#view);
  }

  redo(): void {
    redo(this.#view);
  }
}
