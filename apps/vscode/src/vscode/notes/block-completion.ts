import { requestAt } from '@errand/document';
import {
  mayBeRequest,
  type Suggestion,
  type SuggestionContext,
  suggest,
} from '@errand/workspace/suggestions';
import {
  CompletionItem,
  CompletionItemKind,
  type CompletionItemProvider,
  CompletionList,
  languages,
  type Position,
  Range,
  SnippetString,
  type TextDocument,
  TextEdit,
} from 'vscode';
import type { OpenExtension } from '../open-extension.ts';
import type { NoteOfVault, Vaults } from '../vaults.ts';
import { rangeOf } from './editor-note.ts';
import { markdownFiles } from './markdown-files.ts';

/** What brings up suggestions by being typed; in Markdown, letters alone do not. */
const triggers = ['`', ':', ' ', '\n'];

/** Suggests servers, tools, parameters and values while a request is written. It starts nothing. */
export class BlockCompletion implements CompletionItemProvider {
  readonly #vaults: Vaults;

  private constructor(vaults: Vaults) {
    this.#vaults = vaults;
  }

  static add({ context, vaults }: OpenExtension): void {
    context.subscriptions.push(
      languages.registerCompletionItemProvider(
        markdownFiles,
        new BlockCompletion(vaults),
        ...triggers,
      ),
    );
  }

  async provideCompletionItems(
    document: TextDocument,
    position: Position,
  ): Promise<CompletionList | undefined> {
    const note = await this.#vaults.noteAt(document.uri);
    if (note === undefined) return undefined;
    const context = suggestionContext(note);
    const isLanguage = (word: string) =>
      word === 'mcp' ||
      context.servers.some(({ name }) => name.toLowerCase() === word.toLowerCase());
    const cursor = { line: position.line, ch: position.character };
    const lineAt = (line: number) => document.lineAt(line).text;
    if (!mayBeRequest(lineAt, cursor, isLanguage)) return undefined;
    const scan = note.session.blocks.scan(note.path, document.getText());
    const place = requestAt(scan, document.offsetAt(position));
    if (place === null) return undefined;
    const items = suggest(scan, place, context).map((suggestion, index) =>
      itemOf(document, position, place, suggestion, index),
    );
    // What fits is decided here, also for what is typed next.
    return new CompletionList(items, true);
  }
}

/** What suggestions for a note are made from. */
export function suggestionContext({ session, path }: NoteOfVault): SuggestionContext {
  return {
    ...session.vault.host.servers.noteContext(path),
    tools: (serverId) => session.tools.of(serverId),
  };
}

interface Place {
  readonly from: number;
  readonly to: number;
  readonly typed: string;
}

function itemOf(
  document: TextDocument,
  position: Position,
  { from, typed }: Place,
  { label, detail, description, choice }: Suggestion,
  index: number,
): CompletionItem {
  const item = new CompletionItem({ label, description: detail }, kinds[choice.kind]);
  item.documentation = description;
  item.sortText = String(index).padStart(6, '0');
  // The editor filters by what is written; which suggestions fit is decided already.
  item.filterText = typed === '' ? label : typed;
  item.keepWhitespace = true;
  const start = document.positionAt(from);
  item.range = new Range(start.line === position.line ? start : position, position);
  if (choice.kind !== 'write') {
    item.insertText = typed;
    if (choice.kind === 'start') {
      const args = [document.uri.toString(), choice.serverId];
      item.command = { title: label, command: 'errand.startForTools', arguments: args };
    }
    return item;
  }
  const own = choice.edits.find(
    ({ range: [first, last] }) => first <= from && last >= document.offsetAt(position),
  );
  const others = choice.edits.filter((edit) => edit !== own);
  if (own === undefined) {
    item.insertText = typed;
  } else {
    item.range = rangeOf(document, own.range);
    // Edits above move what stands below them.
    const shift = others
      .filter(({ range: [first] }) => first < own.range[0])
      .reduce((sum, { range: [first, last], text }) => sum + text.length - (last - first), 0);
    const [selectFrom, selectTo] = choice.selection.map((at) => at - own.range[0] - shift);
    item.insertText = snippetOf(own.text, selectFrom ?? 0, selectTo ?? 0);
  }
  item.additionalTextEdits = others.map(({ range, text }) =>
    TextEdit.replace(rangeOf(document, range), text),
  );
  return item;
}

/** A text in which a part is selected once it is written. */
function snippetOf(text: string, from: number, to: number): SnippetString {
  const snippet = new SnippetString().appendText(text.slice(0, from));
  const selected = text.slice(from, to);
  if (selected === '') snippet.appendTabstop(0);
  else snippet.appendPlaceholder((inner) => inner.appendText(selected), 0);
  return snippet.appendText(text.slice(to));
}

const kinds = {
  write: CompletionItemKind.Value,
  start: CompletionItemKind.Event,
  nothing: CompletionItemKind.Issue,
} as const;
