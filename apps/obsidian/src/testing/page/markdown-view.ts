import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { codeFolding, foldEffect, foldedRanges } from '@codemirror/language';
import {
  type Annotation,
  ChangeSet,
  EditorState,
  type Extension,
  StateEffect,
  Transaction,
} from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import type { CodeBlocks } from './code-blocks.ts';
import { Component } from './component.ts';
import { Editor } from './editor.ts';
import type { EditorExtensions } from './editor-fields.ts';
import { EmbeddedNote } from './embedded-note.ts';
import { livePreview } from './live-preview.ts';
import { RenderedNote, type RenderOptions } from './render-note.ts';
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
  readonly #editor: Editor;
  #fragment: EditorView | undefined;
  readonly #cm: EditorView;
  readonly #ports: ViewPorts;
  readonly #livePreview: Extension;
  readonly #editorEl = document.createElement('div');
  readonly #readingEl = document.createElement('div');
  readonly #reading = new RenderedNote(this.#readingEl);
  /** What is read keeps its parts until it is told to draw all of them again. */
  readonly previewMode = {
    rerender: () => {
      if (this.#mode === 'preview') this.setMode('preview');
    },
  };
  #mode: Mode = 'source';
  /** What is on the disk, as far as this pane knows. */
  #saved: string;
  /** What this pane has written itself, and was not told of yet. */
  readonly #written: string[] = [];

  constructor(file: TFile, text: string, ports: ViewPorts) {
    super();
    this.file = file;
    this.#ports = ports;
    this.#livePreview = livePreview(() => this.#rendering());
    this.#cm = new EditorView({
      parent: this.#editorEl,
      state: EditorState.create({
        doc: text,
        extensions: [
          // Whatever may be joined into one step of undo is joined, however long the test takes.
          history({ newGroupDelay: 3_600_000 }),
          keymap.of([...defaultKeymap, ...historyKeymap]),
          codeFolding(),
          ports.extensions.forEditor(strict('MarkdownFileInfo', this), this.#livePreview),
          EditorView.updateListener.of(({ docChanged }) => {
            if (docChanged) this.#hasChanged();
          }),
        ],
      }),
    });
    this.#saved = this.#cm.state.doc.toString();
    // As when a note was just opened: below the text, outside of any block.
    this.select(this.#saved.length);
    this.#editor = strict('Editor', new Editor(this.#cm));
    this.contentEl.append(this.#editorEl, this.#readingEl);
    this.register(ports.extensions.follow(this.#cm));
    this.registerEvent(ports.vault.watch('modify', (changed: TFile) => void this.#reload(changed)));
    this.registerEvent(
      ports.workspace.watch('quick-preview', (changed: TFile, now: string) => {
        const text = this.#text();
        // What was done in another pane is undone there.
        const done = [Transaction.addToHistory.of(false)];
        if (changed === this.file && now !== text) this.#take(text, now, done);
      }),
    );
    this.registerEvent(
      ports.workspace.watch('options', () =>
        this.#cm.dispatch({ effects: StateEffect.appendConfig.of([]) }),
      ),
    );
    this.register(() => {
      this.#fragment?.destroy();
      this.#reading.end();
      this.#cm.destroy();
      this.contentEl.remove();
    });
  }

  /** That of the note; nobody promises it while a piece of the note has an editor of its own. */
  get editor(): Editor {
    const isOther = this.#fragment !== undefined && this.handsOutFragment;
    return isOther ? this.fragment : this.#editor;
  }

  /** Whether those who ask for the editor get that of the fragment. */
  handsOutFragment = false;

  get fragment(): Editor {
    if (this.#fragment === undefined) throw new Error('There is no fragment.');
    return strict('Editor', new Editor(this.#fragment));
  }

  /**
   * Opens an editor for a piece of the note: for a table cell, which is inside of the note's own editor, or in the
   * pane of footnotes, which is not. It has all extensions and the note's file, but not the note's text.
   */
  editFragment(text: string, where: 'cell' | 'footnotes'): void {
    this.#fragment?.destroy();
    const { extensions } = this.#ports;
    this.#fragment = new EditorView({
      parent: where === 'cell' ? this.#cm.dom : document.body,
      state: EditorState.create({
        doc: text,
        extensions: [history(), extensions.forEditor(strict('MarkdownFileInfo', this), [])],
      }),
    });
    this.register(extensions.follow(this.#fragment));
  }

  getMode(): Mode {
    return this.#mode;
  }

  getViewData(): string {
    return this.#text();
  }

  /** Not by the method that plugins call, whose calls are counted. */
  #text(): string {
    return this.#cm.state.doc.toString();
  }

  async save(): Promise<void> {
    const text = this.#text();
    if (text === this.#saved) return;
    this.#saved = text;
    this.#written.push(text);
    await this.#ports.vault.modify(this.file, text);
  }

  setMode(mode: Mode): void {
    this.#mode = mode;
    this.#editorEl.hidden = mode !== 'source';
    this.#reading.end();
    if (mode === 'preview') this.#read();
  }

  /** Switches the editor between Live Preview and its source. */
  showEditorAs(as: 'live-preview' | 'source'): void {
    this.#ports.extensions.show(this.#cm, as, this.#livePreview);
  }

  /** Puts the cursor somewhere. */
  select(anchor: number, head = anchor): void {
    this.#cm.dispatch({ selection: { anchor, head } });
  }

  selected(): string {
    const { from, to } = this.#cm.state.selection.main;
    return this.#text().slice(from, to);
  }

  fold(from: number, to: number): void {
    this.#cm.dispatch({ effects: foldEffect.of({ from, to }) });
  }

  /** The texts that are folded away. */
  folded(): readonly string[] {
    const texts: string[] = [];
    foldedRanges(this.#cm.state).between(0, this.#cm.state.doc.length, (from, to) => {
      texts.push(this.#text().slice(from, to));
    });
    return texts;
  }

  #rendering(): RenderOptions {
    const { blocks } = this.#ports;
    return { sourcePath: this.file.path, blocks, owner: this, embed: this.#embed };
  }

  readonly #embed: RenderOptions['embed'] = (el, path, heading) => {
    const { vault, workspace, blocks } = this.#ports;
    const file = vault.getFileByPath(path);
    if (file === null) return () => {};
    const ports = { vault, workspace, render: { blocks, embed: this.#embed } };
    const embedded = this.addChild(new EmbeddedNote(el, file, heading, ports));
    return () => this.removeChild(embedded);
  };

  #read(): void {
    this.#reading.draw(this.#text(), this.#rendering());
  }

  #hasChanged(): void {
    const { workspace } = this.#ports;
    workspace.trigger('editor-change', this.editor, this);
    // Other panes with this note follow at once, long before it is saved.
    workspace.trigger('quick-preview', this.file, this.#text());
    if (this.#mode === 'preview') this.#read();
  }

  /** Takes over what somebody else wrote to the disk; what is not saved yet stays. */
  async #reload(changed: TFile): Promise<void> {
    if (changed !== this.file) return;
    const now = EditorState.create({ doc: await this.#ports.vault.read(this.file) }).doc.toString();
    const own = this.#written.indexOf(now);
    if (own !== -1) {
      this.#written.splice(0, own + 1);
      return;
    }
    const before = this.#saved;
    this.#saved = now;
    if (now !== this.#text()) this.#take(before, now);
  }

  /** Makes the change from one text to another here, where the text may have been changed as well. */
  #take(before: string, now: string, annotations: readonly Annotation<unknown>[] = []): void {
    const own = difference(before, this.#text());
    this.#cm.dispatch({ changes: difference(before, now).map(own), annotations });
  }
}

/** One change that makes one text of another. */
function difference(before: string, after: string): ChangeSet {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const insert = after.slice(start, after.length - end);
  return ChangeSet.of([{ from: start, to: before.length - end, insert }], before.length);
}
