import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type { Editor } from './editor.ts';
import { editorInfoField } from './editor-fields.ts';
import type { MarkdownView } from './markdown-view.ts';
import { SuggestionList, type SuggestOwner } from './suggestion-list.ts';
import type { TFile } from './vault.ts';

interface Position {
  readonly line: number;
  readonly ch: number;
}

interface Trigger {
  readonly start: Position;
  readonly end: Position;
  readonly query: string;
}

interface Context extends Trigger {
  readonly editor: Editor;
  readonly file: TFile;
}

/** Where a place of the text is on the screen. */
type CoordinatesAt = (at: Position) => { readonly left: number; readonly bottom: number } | null;

/** Choices at the cursor while a person types; what a plugin extends. */
export abstract class EditorSuggest<Value> implements SuggestOwner<Value> {
  readonly app: object;
  context: Context | null = null;
  limit = 100;
  readonly #el = document.createElement('div');
  readonly #list: SuggestionList<Value>;
  readonly #onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') {
      this.close();
      event.preventDefault();
      event.stopPropagation();
    } else this.#list.press(event);
  };

  constructor(app: object) {
    this.app = app;
    this.#el.className = 'suggestion-container';
    const inner = document.createElement('div');
    inner.className = 'suggestion';
    this.#el.append(inner);
    this.#list = new SuggestionList(inner, this);
  }

  abstract onTrigger(cursor: Position, editor: Editor, file: TFile | null): Trigger | null;
  abstract getSuggestions(context: Context): Value[] | Promise<Value[]>;
  abstract renderSuggestion(value: Value, el: HTMLElement): void;
  abstract selectSuggestion(value: Value, event: Event): void;

  open(): void {
    document.body.append(this.#el);
    document.addEventListener('keydown', this.#onKey, { capture: true });
  }

  close(): void {
    this.context = null;
    this.#el.remove();
    document.removeEventListener('keydown', this.#onKey, { capture: true });
  }

  /** Asks for choices where the cursor is; whether there are any. */
  async ask(editor: Editor, file: TFile, coordinatesAt: CoordinatesAt): Promise<boolean> {
    const trigger = this.onTrigger(editor.getCursor(), editor, file);
    if (trigger === null) {
      this.close();
      return false;
    }
    const context = { ...trigger, editor, file };
    this.context = context;
    const values = await this.getSuggestions(context);
    if (this.context !== context) return false;
    if (values.length === 0) {
      this.close();
      return false;
    }
    this.#list.show(values.slice(0, this.limit));
    const { left, bottom } = coordinatesAt(trigger.start) ?? { left: 0, bottom: 0 };
    Object.assign(this.#el.style, { position: 'absolute', left: `${left}px`, top: `${bottom}px` });
    this.open();
    return true;
  }
}

/** What plugins suggest while somebody types. */
export class EditorSuggests {
  readonly #all: EditorSuggest<unknown>[] = [];

  /** Asks after everything that is typed or deleted, not when only the cursor moves or a program writes. */
  readonly whenTyped: Extension = EditorView.updateListener.of(({ transactions, view }) => {
    const isTyped = transactions.some(
      (each) => each.docChanged && (each.isUserEvent('input') || each.isUserEvent('delete')),
    );
    // Where the cursor is on the screen is not known before the editor has drawn itself.
    if (isTyped) queueMicrotask(() => void this.#ask(view));
  });

  add(suggest: EditorSuggest<unknown>): () => void {
    this.#all.push(suggest);
    return () => {
      suggest.close();
      this.#all.splice(this.#all.indexOf(suggest), 1);
    };
  }

  /** The first that has something to suggest shows it. */
  async #ask(view: EditorView): Promise<void> {
    const { editor, file } = view.state.field(editorInfoField) as MarkdownView;
    for (const suggest of this.#all) {
      if (await suggest.ask(editor, file, (at) => view.coordsAtPos(editor.posToOffset(at)))) return;
    }
  }
}
