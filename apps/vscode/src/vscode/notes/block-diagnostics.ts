import type { ToolBlock } from '@errand/document';
import { foreignName, type Host } from '@errand/host';
import { type BlockProblem, blockProblem, requestServer } from '@errand/workspace/cards';
import { blockAtLine } from '@errand/workspace/runs';
import {
  CodeAction,
  CodeActionKind,
  type CodeActionProvider,
  Diagnostic,
  type DiagnosticCollection,
  DiagnosticSeverity,
  languages,
  type Range,
  type TextDocument,
  WorkspaceEdit,
  workspace,
} from 'vscode';
import { missingNames, type QuickFix, quickFixes } from '../../notes/quick-fixes.ts';
import { inVscode } from '../../text/advice.ts';
import type { OpenExtension } from '../open-extension.ts';
import type { NoteOfVault, Vaults } from '../vaults.ts';
import { rangeOf } from './editor-note.ts';
import { markdownFiles } from './markdown-files.ts';

/** How long after the last key press a note is looked at. */
const pauseMs = 200;

/** Shows what is wrong with blocks of open notes at their lines, with ways to mend it. */
export class BlockDiagnostics implements CodeActionProvider {
  readonly #vaults: Vaults;
  readonly #found: DiagnosticCollection;
  readonly #waiting = new Map<string, NodeJS.Timeout>();

  private constructor(vaults: Vaults, found: DiagnosticCollection) {
    this.#vaults = vaults;
    this.#found = found;
  }

  static add({ context, vaults }: OpenExtension): void {
    const found = languages.createDiagnosticCollection('errand');
    const diagnostics = new BlockDiagnostics(vaults, found);
    const all = () => {
      for (const document of workspace.textDocuments) diagnostics.#soon(document);
    };
    vaults.follow(({ vault, runs }) => [
      vault.host.events.subscribe(({ kind }) => {
        if (!kind.startsWith('call') && !kind.startsWith('session')) all();
      }),
      runs.subscribe(({ kind }) => {
        if (kind === 'run-ended') all();
      }),
    ]);
    context.subscriptions.push(
      found,
      vaults.onDidChange(all),
      workspace.onDidOpenTextDocument((document) => diagnostics.#soon(document)),
      workspace.onDidChangeTextDocument(({ document }) => diagnostics.#soon(document)),
      workspace.onDidCloseTextDocument(({ uri }) => found.delete(uri)),
      languages.registerCodeActionsProvider(markdownFiles, diagnostics, {
        providedCodeActionKinds: [CodeActionKind.QuickFix],
      }),
      {
        dispose() {
          for (const timer of diagnostics.#waiting.values()) clearTimeout(timer);
        },
      },
    );
    all();
  }

  async provideCodeActions(document: TextDocument, range: Range): Promise<CodeAction[]> {
    const note = await this.#vaults.noteAt(document.uri);
    if (note === undefined) return [];
    const text = document.getText();
    const found = blockAtLine(note.session.blocks.of(note.path, text), range.start.line + 1);
    if (found === undefined) return [];
    const fixes = quickFixes(text, found.block, note.session.vault.host);
    return fixes.map((fix, index) => {
      const action = actionOf(document, note, fix);
      action.diagnostics = [...(this.#found.get(document.uri) ?? [])].filter((each) =>
        each.range.intersection(range),
      );
      action.isPreferred = index === 0;
      return action;
    });
  }

  #soon(document: TextDocument): void {
    if (languages.match(markdownFiles, document) === 0) return;
    const id = document.uri.toString();
    clearTimeout(this.#waiting.get(id));
    this.#waiting.set(
      id,
      setTimeout(() => {
        this.#waiting.delete(id);
        void this.#look(document);
      }, pauseMs),
    );
  }

  async #look(document: TextDocument): Promise<void> {
    const note = await this.#vaults.noteAt(document.uri);
    if (document.isClosed) return;
    this.#found.set(document.uri, note === undefined ? [] : mistakesOf(document, note));
  }
}

/** What the tool would refuse because it is not there. */
function missingParameters(block: ToolBlock, host: Host): readonly BlockProblem[] {
  return missingNames(block, host).map((name) => {
    const message = `The tool "${foreignName(block.tool ?? '')}" needs the parameter "${foreignName(name)}".`;
    return { code: 'invalid_params', message, line: block.line };
  });
}

function mistakesOf(document: TextDocument, { session, path }: NoteOfVault): Diagnostic[] {
  const { host } = session.vault;
  return session.blocks.of(path, document.getText()).flatMap(({ block }) => {
    const problem = blockProblem(block);
    const { mistakes } = requestServer(block, host);
    const all = [
      ...(problem === null ? [] : [{ ...problem, severity: DiagnosticSeverity.Error }]),
      ...[...mistakes, ...missingParameters(block, host)].map((each) => ({
        ...each,
        severity: DiagnosticSeverity.Warning,
      })),
    ];
    return all.map(({ line, severity, ...each }) => {
      const { range, firstNonWhitespaceCharacterIndex } = document.lineAt(
        Math.min(line, document.lineCount) - 1,
      );
      const start = range.start.with(undefined, firstNonWhitespaceCharacterIndex);
      const found = new Diagnostic(range.with(start), inVscode(each), severity);
      found.source = 'Errand';
      found.code = each.code;
      return found;
    });
  });
}

function actionOf(document: TextDocument, { session }: NoteOfVault, fix: QuickFix): CodeAction {
  const action = new CodeAction(fix.title, CodeActionKind.QuickFix);
  if (fix.kind === 'edit') {
    action.edit = new WorkspaceEdit();
    for (const { range, text } of fix.edits) {
      action.edit.replace(document.uri, rangeOf(document, range), text);
    }
  } else {
    const node = { kind: 'server', session, id: fix.serverId };
    const command = `errand.server.${fix.kind}`;
    action.command = { title: fix.title, command, arguments: [node] };
  }
  return action;
}
