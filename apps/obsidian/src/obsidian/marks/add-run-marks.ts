import { type EditorState, type Range, StateEffect } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';
import { requestServer } from '@errand/workspace/cards';
import { editorInfoField, editorLivePreviewField } from 'obsidian';
import { describeRequest } from '../../blocks/describe-request.ts';
import { markedBlocks } from '../../blocks/marked-blocks.ts';
import { runBlock } from '../blocks/run-block.ts';
import { showFailure } from '../notices.ts';
import { isNoteEditor, textOf } from '../open-notes.ts';
import type { OpenPlugin } from '../open-plugin.ts';
import { RunMark } from './run-mark.ts';

/** Shows a run mark beside blocks that are not shown as cards: in the source, and where the cursor is. */
export function addRunMarks(open: OpenPlugin): void {
  open.plugin.registerEditorExtension(
    ViewPlugin.define((view) => new RunMarks(open, view), { decorations: ({ marks }) => marks }),
  );
}

/** Something that runs, or the servers, changed. */
const changed = StateEffect.define<null>();

class RunMarks {
  readonly #open: OpenPlugin;
  readonly #view: EditorView;
  #path: string | undefined;
  #unsubscribe: () => void = () => {};
  marks: DecorationSet = Decoration.none;

  constructor(open: OpenPlugin, view: EditorView) {
    this.#open = open;
    this.#view = view;
    this.marks = this.#build();
  }

  update({
    docChanged,
    selectionSet,
    viewportChanged,
    transactions,
    state,
    startState,
  }: ViewUpdate): void {
    const isSwitched = isLivePreview(state) !== isLivePreview(startState);
    const hasEffect = transactions.some(({ effects }) => effects.some((each) => each.is(changed)));
    if (docChanged || selectionSet || viewportChanged || isSwitched || hasEffect) {
      this.marks = this.#build();
    }
  }

  destroy(): void {
    this.#unsubscribe();
  }

  #build(): DecorationSet {
    const { state, visibleRanges } = this.#view;
    const path = this.#pathNow();
    this.#follow(path);
    const { blocks, runs, vault, plugin } = this.#open;
    if (path === undefined || !isNoteEditor(plugin.app, path, this.#view)) return Decoration.none;
    const marked = markedBlocks(blocks.of(path, textOf(state.doc)), {
      isLivePreview: isLivePreview(state),
      visible: visibleRanges,
      selected: state.selection.ranges,
    });
    return Decoration.set(
      marked.map(({ key, block }): Range<Decoration> => {
        const view = describeRequest(
          block,
          runs.runningBlock(path, key),
          runs.lastOutcome(path, key),
          requestServer(block, vault.host),
        );
        const widget = new RunMark(view, key, (pressed) => this.#press(pressed));
        return Decoration.widget({ widget, side: 1 }).range(state.doc.lineAt(block.fence.from).to);
      }),
    );
  }

  #pathNow(): string | undefined {
    return this.#view.state.field(editorInfoField, false)?.file?.path;
  }

  #follow(path: string | undefined): void {
    if (path === this.#path) return;
    this.#path = path;
    this.#unsubscribe();
    this.#unsubscribe =
      path === undefined ? () => {} : this.#open.changes.subscribe(path, () => this.#refresh());
  }

  /** Most changes are of the text, which the editor has drawn already. */
  #refresh(): void {
    if (signatureOf(this.#build()) !== signatureOf(this.marks)) {
      this.#view.dispatch({ effects: changed.of(null) });
    }
  }

  #press(key: string): void {
    const { blocks, runs } = this.#open;
    // A mark stays as it was drawn while its note gets another name.
    const path = this.#pathNow();
    if (path === undefined) return;
    if (runs.runningBlock(path, key) !== undefined) {
      runs.cancel(path, [key]);
      return;
    }
    const found = blocks.of(path, textOf(this.#view.state.doc)).find((each) => each.key === key);
    const force = found?.block.state === 'edited';
    void runBlock(this.#open, path, key, { force }).catch(showFailure);
  }
}

function isLivePreview(state: EditorState): boolean {
  return state.field(editorLivePreviewField, false) ?? false;
}

function signatureOf(marks: DecorationSet): string {
  const seen: string[] = [];
  for (const at = marks.iter(); at.value !== null; at.next()) {
    const { widget } = at.value.spec as { readonly widget: RunMark };
    seen.push(`${at.from} ${widget.signature}`);
  }
  return seen.join('\n');
}
