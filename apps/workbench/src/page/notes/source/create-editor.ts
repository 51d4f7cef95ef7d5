import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  closeBrackets,
  closeCompletion,
  completionKeymap,
  pickedCompletion,
  startCompletion,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyField, historyKeymap } from '@codemirror/commands';
import { markdown, markdownLanguage } from '@codemirror/lang-markdown';
import { type Diagnostic, linter, lintKeymap } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { Annotation, EditorState, Transaction } from '@codemirror/state';
import {
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { difference } from '@errand/document/display';
import { mayBeRequest, type Suggestion } from '@errand/workspace/suggestions';
import type { AnswerOf, api } from '../../model/api.ts';
import { editorTheme } from './editor-theme.ts';
import type { LineMark } from './find-marks.ts';
import { frontmatter } from './frontmatter.ts';

type Suggestions = AnswerOf<typeof api.note.suggest.$post>;

export interface EditorPorts {
  /** A shadow root: there the editor can use constructed style sheets, which the CSP allows. */
  readonly root: ShadowRoot;
  readonly label: string;
  readonly text: string;
  /** What `destroy` of an earlier editor of this note returned: cursor and history of changes. */
  readonly before: unknown;
  /** The first line to show. */
  readonly line: number | undefined;
  readonly onChange: (text: string) => void;
  readonly onSave: () => void;
  readonly onRun: (line: number) => void;
  readonly suggestions: SuggestionSource;
  readonly check: (text: string) => Promise<readonly LineMark[]>;
}

/** Where the suggestions for a text and a cursor come from. */
export interface SuggestionSource {
  isServer(word: string): boolean;
  at(text: string, offset: number, signal: AbortSignal): Promise<Suggestions>;
  /** Starts a server, so that its tools become known. */
  startServer(id: string): Promise<void>;
}

/** An editor for a note's source. */
export interface SourceEditor {
  /** Applies an external change and keeps the cursor in place. */
  show(text: string): void;
  readonly cursorLine: () => number;
  /** Returns what the next editor of this note continues from. */
  destroy(): unknown;
}

const checkMs = 400;
const isFromElsewhere = Annotation.define<boolean>();

export function createEditor(ports: EditorPorts): SourceEditor {
  const view = new EditorView({
    root: ports.root,
    parent: ports.root,
    state: stateFor(ports),
  });
  const show = (text: string) => {
    const found = difference(view.state.doc.toString(), text);
    if (found === undefined) return;
    const { from, toBefore, toAfter } = found;
    view.dispatch({
      changes: { from, to: toBefore, insert: text.slice(from, toAfter) },
      annotations: [isFromElsewhere.of(true), Transaction.addToHistory.of(false)],
    });
  };
  show(ports.text);
  if (ports.line !== undefined) goToLine(view, ports.line);
  view.focus();
  return {
    show,
    cursorLine: () => lineAtCursor(view),
    destroy: () => {
      const left: unknown = view.state.toJSON(storedFields);
      view.destroy();
      return left;
    },
  };
}

const storedFields = { history: historyField };

/** The state that an earlier editor left, or a new one. */
function stateFor(ports: EditorPorts): EditorState {
  const extensions = extensionsFor(ports);
  return ports.before === undefined
    ? EditorState.create({ doc: ports.text, extensions })
    : EditorState.fromJSON(ports.before, { extensions }, storedFields);
}

function extensionsFor(ports: EditorPorts) {
  return [
    keymap.of([
      { key: 'Mod-s', preventDefault: true, run: () => handled(ports.onSave) },
      { key: 'Mod-Enter', run: (view) => handled(() => ports.onRun(lineAtCursor(view))) },
    ]),
    lineNumbers(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    history(),
    closeBrackets(),
    search({ top: true }),
    highlightSelectionMatches(),
    markdown({ base: markdownLanguage, completeHTMLTags: false, extensions: frontmatter }),
    autocompletion({
      override: [(context) => complete(context, ports.suggestions)],
      activateOnCompletion: () => true,
      icons: false,
    }),
    linter((view) => lint(view, ports), { delay: checkMs }),
    keymap.of([
      ...completionKeymap,
      ...searchKeymap,
      ...lintKeymap,
      ...historyKeymap,
      ...defaultKeymap,
    ]),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({
      'aria-label': ports.label,
      spellcheck: 'true',
      tabindex: '0',
    }),
    EditorView.darkTheme.of(matchMedia('(prefers-color-scheme: dark)').matches),
    editorTheme,
    EditorView.updateListener.of(({ docChanged, state, transactions }) => {
      const isOwn = transactions.some(
        (transaction) => transaction.docChanged && !transaction.annotation(isFromElsewhere),
      );
      if (docChanged && isOwn) ports.onChange(state.doc.toString());
    }),
  ];
}

async function complete(
  context: CompletionContext,
  source: SuggestionSource,
): Promise<CompletionResult | null> {
  const { doc } = context.state;
  const { number, from: start } = doc.lineAt(context.pos);
  const cursor = { line: number - 1, ch: context.pos - start };
  const isLanguage = (word: string) => word === 'mcp' || source.isServer(word);
  if (!mayBeRequest((line) => doc.line(line + 1).text, cursor, isLanguage)) return null;
  const asking = new AbortController();
  context.addEventListener('abort', () => asking.abort(), { onDocChange: true });
  // Suggestions are optional: ignore failures.
  const found = await source.at(doc.toString(), context.pos, asking.signal).catch(() => undefined);
  if (found === undefined || found.suggestions.length === 0) return null;
  const options = found.suggestions.map(({ label, detail, description, choice }) => ({
    label,
    detail,
    ...(description !== '' && { info: description }),
    apply: (view: EditorView, picked: Completion) => {
      // The edits are valid only for the text they were computed for.
      if (view.state.doc.eq(doc)) apply(view, picked, choice, source);
    },
  }));
  return { from: found.from, filter: false, options };
}

function apply(
  view: EditorView,
  picked: Completion,
  choice: Suggestion['choice'],
  source: SuggestionSource,
): void {
  if (choice.kind === 'start') {
    closeCompletion(view);
    void source.startServer(choice.serverId).then(() => startCompletion(view));
  }
  if (choice.kind !== 'write') return;
  const [anchor, head] = choice.selection;
  view.dispatch({
    changes: choice.edits.map(({ range: [from, to], text }) => ({ from, to, insert: text })),
    selection: { anchor, head },
    userEvent: 'input.complete',
    annotations: pickedCompletion.of(picked),
    scrollIntoView: true,
  });
}

async function lint({ state }: EditorView, ports: EditorPorts): Promise<readonly Diagnostic[]> {
  const marks = await ports.check(state.doc.toString());
  return marks.map(({ line, severity, message }) => {
    const { from, to, text } = state.doc.line(Math.max(1, Math.min(state.doc.lines, line)));
    const indent = text.length - text.trimStart().length;
    return { from: from + indent, to, severity, message };
  });
}

function goToLine(view: EditorView, line: number): void {
  const { doc } = view.state;
  const { from } = doc.line(Math.max(1, Math.min(doc.lines, line)));
  const effects = EditorView.scrollIntoView(from, { y: 'start' });
  view.dispatch({ selection: { anchor: from }, effects });
}

function lineAtCursor({ state }: EditorView): number {
  return state.doc.lineAt(state.selection.main.head).number;
}

/** Marks a key as handled. */
function handled(work: () => void): true {
  work();
  return true;
}
