import { type Extension, Transaction } from '@codemirror/state';
import { type EditorView, type PluginValue, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import type { TextEdit } from '@errand/document';
import { type Editor, editorInfoField } from 'obsidian';
import { changeInEditor } from '../open-notes.ts';
import { origin } from '../undo-steps.ts';

/**
 * Answers in open editors. While one is coming it takes no part in undo, which is the person's own; when it
 * is whole, it becomes one step of undo. A piece of it that the person changed meanwhile stays as it is.
 */
export class AnswerSteps {
  readonly #editors = new Set<FollowedEditor>();
  /** Has to be part of every editor. */
  readonly extension: Extension = ViewPlugin.define(
    (view) => new FollowedEditor(view, this.#editors),
  );

  /** Adds to an answer. */
  write(answer: object, editor: Editor, edits: readonly TextEdit[]): void {
    const followed = this.#of(editor);
    // What is replaced was there before the answer, so that it has to come back by itself.
    const isAdded = edits.every(({ range: [from, to] }) => from === to);
    if (followed !== undefined && isAdded) followed.write(answer, edits);
    else changeInEditor(editor, edits);
  }

  /** Whether an answer is being written into an editor. */
  isIn(answer: object, editor: Editor): boolean {
    return this.#of(editor)?.has(answer) ?? false;
  }

  /** Makes what there is of an answer one step of undo. */
  finish(answer: object): void {
    for (const editor of this.#editors) editor.finish(answer);
  }

  #of(editor: Editor): FollowedEditor | undefined {
    // The editor of a table cell names that of its note as its own, and has other text.
    const length = editor.getValue().length;
    return [...this.#editors].find((each) => each.editor === editor && each.length === length);
  }
}

/** A part of an answer where it stands now. */
interface Piece {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

class FollowedEditor implements PluginValue {
  readonly #view: EditorView;
  readonly #all: Set<FollowedEditor>;
  readonly #answers = new Map<object, readonly Piece[]>();

  constructor(view: EditorView, all: Set<FollowedEditor>) {
    this.#view = view;
    this.#all = all.add(this);
  }

  get editor(): Editor | undefined {
    return this.#view.state.field(editorInfoField, false)?.editor;
  }

  get length(): number {
    return this.#view.state.doc.length;
  }

  update({ docChanged, changes }: ViewUpdate): void {
    if (!docChanged) return;
    for (const [answer, pieces] of this.#answers) {
      const moved = pieces.map(({ from, to, text }) => {
        return { from: changes.mapPos(from, 1), to: changes.mapPos(to, -1), text };
      });
      this.#answers.set(answer, moved);
    }
  }

  destroy(): void {
    this.#all.delete(this);
  }

  has(answer: object): boolean {
    return this.#answers.has(answer);
  }

  write(answer: object, edits: readonly TextEdit[]): void {
    const changes = edits.map(({ range: [from, to], text }) => ({ from, to, insert: text }));
    const transaction = this.#view.state.update({
      changes,
      annotations: Transaction.addToHistory.of(false),
    });
    const added = edits.map(({ range: [from], text }) => {
      const at = transaction.changes.mapPos(from, -1);
      return { from: at, to: at + text.length, text };
    });
    this.#dispatch([transaction]);
    this.#answers.set(answer, [...(this.#answers.get(answer) ?? []), ...added]);
  }

  /** Takes it out and puts it back in one go: only the second is remembered for undo. */
  finish(answer: object): void {
    const { state } = this.#view;
    const pieces = (this.#answers.get(answer) ?? [])
      .filter(({ from, to, text }) => from < to && state.sliceDoc(from, to) === text)
      .sort((a, b) => a.from - b.from);
    this.#answers.delete(answer);
    if (pieces.length === 0) return;
    const out = state.update({
      changes: pieces.map(({ from, to }) => ({ from, to })),
      annotations: Transaction.addToHistory.of(false),
    });
    const back = out.state.update({
      changes: out.changes.invert(state.doc),
      selection: state.selection,
      userEvent: origin,
    });
    this.#dispatch([out, back]);
  }

  /** Changes the text under a person who reads another part of it. */
  #dispatch(transactions: readonly Transaction[]): void {
    // Of two changes before a drawing of the screen, the editor keeps its place only through the second.
    this.#view.lineBlockAtHeight(0);
    this.#view.dispatch(transactions);
    // And it keeps its place only when something is there to be measured.
    this.#view.requestMeasure({ read: () => undefined });
  }
}
