import { Compartment, type Extension, StateEffect, StateField } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';

/** The note of an editor and its pane; an editor of a canvas may have none. */
export interface MarkdownFileInfo {
  readonly file: { readonly path: string } | null;
}

/** Which note an editor shows. */
export const editorInfoField = StateField.define<MarkdownFileInfo>({
  create: () => ({ file: null }),
  update: (info) => info,
});

const setLivePreview = StateEffect.define<boolean>();

/** Whether an editor is in Live Preview; if not, it shows the source. */
export const editorLivePreviewField = StateField.define<boolean>({
  create: () => true,
  update: (isOn, { effects }) => effects.find((each) => each.is(setLivePreview))?.value ?? isOn,
});

/** What plugins add to every editor, those that are open and those to come. */
export class EditorExtensions {
  readonly #added: Extension[] = [];
  readonly #views = new Set<EditorView>();
  readonly #ofPlugins = new Compartment();
  readonly #ofLivePreview = new Compartment();

  /** Adds an extension; returns what takes it out again. An array may be changed later, see `update`. */
  add(extension: Extension): () => void {
    this.#added.push(extension);
    this.update();
    return () => {
      this.#added.splice(this.#added.indexOf(extension), 1);
      this.update();
    };
  }

  /** Takes over arrays that a plugin has changed. */
  update(): void {
    for (const view of this.#views) {
      view.dispatch({ effects: this.#ofPlugins.reconfigure([...this.#added]) });
    }
  }

  /** What an editor of a note consists of besides its own; `livePreview` is there only while it is on. */
  forEditor(info: MarkdownFileInfo, livePreview: Extension): Extension {
    return [
      editorInfoField.init(() => info),
      editorLivePreviewField,
      this.#ofLivePreview.of(livePreview),
      this.#ofPlugins.of([...this.#added]),
    ];
  }

  /** Follows an editor; returns what ends that. */
  follow(view: EditorView): () => void {
    this.#views.add(view);
    return () => this.#views.delete(view);
  }

  /** Switches an editor between Live Preview and its source. */
  show(view: EditorView, as: 'live-preview' | 'source', livePreview: Extension): void {
    const isOn = as === 'live-preview';
    view.dispatch({
      effects: [setLivePreview.of(isOn), this.#ofLivePreview.reconfigure(isOn ? livePreview : [])],
    });
  }
}
