import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import type { CodeBlocks } from './code-blocks.ts';
import { Component } from './component.ts';
import { Editor } from './editor.ts';
import type { EditorExtensions } from './editor-fields.ts';
import { livePreview } from './live-preview.ts';
import { showForReading } from './reading-view.ts';
import { strict } from './strict.ts';
import type { TFile, Vault } from './vault.ts';
import type { Workspace } from './workspace.ts';

export type Mode = 'source' | 'preview';

interface ViewPorts {
  readonly vault: Vault;
  readonly workspace: Workspace;
  readonly blocks: CodeBlocks;
  readonly extensions: EditorExtensions;
}

/** A pane with one note: an editor in Live Preview, or the note for reading. */
export class MarkdownView extends Component {
  readonly contentEl = document.createElement('div');
  readonly file: TFile;
  readonly editor: Editor;
  readonly #cm: EditorView;
  readonly #ports: ViewPorts;
  readonly #livePreview: Extension;
  readonly #editorEl = document.createElement('div');
  readonly #readingEl = document.createElement('div');
  #mode: Mode = 'source';
  #endReading: (() => void) | undefined;
  #isDirty = false;

  constructor(file: TFile, text: string, ports: ViewPorts) {
    super();
    this.file = file;
    this.#ports = ports;
    this.#livePreview = livePreview(ports.blocks, () => file.path, this);
    this.#cm = new EditorView({
      parent: this.#editorEl,
      state: EditorState.create({
        doc: text,
        // As when a note was just opened: below the text, outside of any block.
        selection: { anchor: text.length },
        extensions: [
          // Whatever may be joined into one step of undo is joined, however much time passes.
          history({ newGroupDelay: Number.MAX_SAFE_INTEGER }),
          keymap.of([...defaultKeymap, ...historyKeymap]),
          ports.extensions.forEditor(strict('MarkdownFileInfo', this), this.#livePreview),
          EditorView.updateListener.of(({ docChanged }) => {
            if (docChanged) this.#hasChanged();
          }),
        ],
      }),
    });
    this.editor = strict('Editor', new Editor(this.#cm));
    this.contentEl.append(this.#editorEl, this.#readingEl);
    this.register(ports.extensions.follow(this.#cm));
    this.registerEvent(ports.vault.on('modify', (changed: TFile) => void this.#reload(changed)));
    this.register(() => {
      this.#endReading?.();
      this.#cm.destroy();
      this.contentEl.remove();
    });
  }

  getMode(): Mode {
    return this.#mode;
  }

  getViewData(): string {
    return this.editor.getValue();
  }

  async save(): Promise<void> {
    if (!this.#isDirty) return;
    this.#isDirty = false;
    await this.#ports.vault.modify(this.file, this.getViewData());
  }

  setMode(mode: Mode): void {
    this.#mode = mode;
    this.#editorEl.hidden = mode !== 'source';
    this.#endReading?.();
    this.#endReading = undefined;
    if (mode === 'preview') this.#read();
  }

  /** Switches the editor between Live Preview and its source. */
  showEditorAs(as: 'live-preview' | 'source'): void {
    this.#ports.extensions.show(this.#cm, as, this.#livePreview);
  }

  #read(): void {
    const { blocks } = this.#ports;
    const text = this.getViewData();
    this.#endReading?.();
    this.#endReading = showForReading(this.#readingEl, {
      text,
      sourcePath: this.file.path,
      blocks,
      owner: this,
    });
  }

  #hasChanged(): void {
    this.#isDirty = true;
    this.#ports.workspace.trigger('editor-change', this.editor, this);
  }

  /** Takes over what was written to the disk by somebody else; what is equal already stays untouched. */
  async #reload(changed: TFile): Promise<void> {
    if (changed !== this.file) return;
    const text = await this.#ports.vault.read(this.file);
    const { doc } = this.#cm.state;
    if (text !== doc.toString()) {
      this.#cm.dispatch({ changes: { from: 0, to: doc.length, insert: text } });
      this.#isDirty = false;
    }
    if (this.#mode === 'preview') this.#read();
  }
}
