import { type NoteScan, type RequestCursor, requestAt, scan } from '@errand/document';
import {
  mayBeRequest,
  type Suggestion,
  type SuggestionContext,
  suggest,
} from '@errand/workspace/suggestions';
import {
  type Editor,
  type EditorPosition,
  EditorSuggest,
  type EditorSuggestTriggerInfo,
  type TFile,
} from 'obsidian';
import { drawRow } from '../draw-row.ts';
import { writeInto } from './write-into.ts';

/** Dependencies of the suggestions. */
export interface SuggestPorts {
  context(documentPath: string): SuggestionContext;
  /** Whether this is the text of the whole note. */
  isWholeNote(path: string, text: string): boolean;
  /** Starts a server and lets the person choose one of its tools for the place of the cursor. */
  chooseTool(serverId: string, editor: Editor): void;
}

/** Suggests servers, tools, parameters and values while a request is written. It starts nothing. */
export class RequestSuggest extends EditorSuggest<Suggestion> {
  readonly #ports: SuggestPorts;
  #written: { readonly note: NoteScan; readonly place: RequestCursor } | undefined;

  constructor(app: EditorSuggest<Suggestion>['app'], ports: SuggestPorts) {
    super(app);
    this.#ports = ports;
  }

  override onTrigger(
    cursor: EditorPosition,
    editor: Editor,
    file: TFile | null,
  ): EditorSuggestTriggerInfo | null {
    const { servers } = this.#ports.context('');
    const isLanguage = (word: string) =>
      word === 'mcp' || servers.some(({ name }) => name.toLowerCase() === word.toLowerCase());
    if (!mayBeRequest((line) => editor.getLine(line), cursor, isLanguage)) return null;
    const text = editor.getValue();
    if (file !== null && !this.#ports.isWholeNote(file.path, text)) return null;
    const note = scan(text);
    const place = requestAt(note, editor.posToOffset(cursor));
    if (place === null) return null;
    this.#written = { note, place };
    return { start: editor.offsetToPos(place.from), end: cursor, query: place.typed };
  }

  override getSuggestions({ file }: { readonly file: TFile }): Suggestion[] {
    if (this.#written === undefined) return [];
    const { note, place } = this.#written;
    return [...suggest(note, place, this.#ports.context(file.path))];
  }

  override renderSuggestion(suggestion: Suggestion, el: HTMLElement): void {
    drawRow(el, suggestion);
    if (suggestion.choice.kind !== 'write') el.addClass('errand-row-remark');
  }

  override selectSuggestion({ choice }: Suggestion): void {
    const { context } = this;
    // Closed first: what is written may bring up the next suggestions at once.
    this.close();
    if (context === null) return;
    const { editor } = context;
    if (choice.kind === 'write') writeInto(editor, choice);
    if (choice.kind === 'start') this.#ports.chooseTool(choice.serverId, editor);
  }
}
