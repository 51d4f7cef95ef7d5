import { QuestionQueue } from '@errand/workspace/questions';
import { commands, type ExtensionContext, window, workspace } from 'vscode';
import { extendMarkdownIt, type MarkdownIt } from '../preview/extend-markdown-it.ts';
import { addAssistant } from './assistant/add-assistant.ts';
import { addEditorTools } from './editor-tools/add-editor-tools.ts';
import { addGateway } from './editor-tools/add-gateway.ts';
import { addListNotesTool } from './editor-tools/add-list-notes-tool.ts';
import { addHooks } from './hooks/add-hooks.ts';
import { addMail } from './mail/add-mail.ts';
import { addRunning } from './notes/add-running.ts';
import { addNoteSessions } from './notes/add-sessions.ts';
import { addWriting } from './notes/add-writing.ts';
import { BlockCompletion } from './notes/block-completion.ts';
import { BlockDiagnostics } from './notes/block-diagnostics.ts';
import { BlockHover } from './notes/block-hover.ts';
import { BlockLenses } from './notes/block-lenses.ts';
import { SectionHints } from './notes/section-hints.ts';
import { Notices } from './notices.ts';
import type { OpenExtension } from './open-extension.ts';
import { askTrust } from './questions/ask-trust.ts';
import { editorElicitor } from './questions/editor-elicitor.ts';
import { addCallNotices } from './runs/add-call-notices.ts';
import { addRuns } from './runs/add-runs.ts';
import { addStatusBar } from './runs/add-status-bar.ts';
import { openSecretStorage } from './secret-storage.ts';
import { addServers } from './servers/add-servers.ts';
import { addSettings } from './settings/add-settings.ts';
import { Vaults } from './vaults.ts';
import { addExample } from './walkthrough/add-example.ts';

/** What the editor's Markdown preview asks of the extension. */
interface Exports {
  readonly extendMarkdownIt: (markdown: MarkdownIt) => MarkdownIt;
}

/** Most of the program: the editor waits for nothing of it when it starts. */
const vaultParts = () => import('../vault-session.ts');

let active: Vaults | undefined;

/** Registers what the editor asks for; a vault is opened when somebody first needs it. */
export function activate(context: ExtensionContext): Exports {
  const log = window.createOutputChannel('Errand', { log: true });
  const notices = new Notices(log);
  const questions = new QuestionQueue();
  const { version } = context.extension.packageJSON as { readonly version: string };
  const secrets = openSecretStorage(context);
  const vaults = new Vaults({
    async open(folder, signal) {
      const { openSession } = await vaultParts();
      const elicitor = editorElicitor(questions);
      const ports = { folder, version, secrets, notifier: notices, elicitor, questions, askTrust };
      return openSession(ports, signal);
    },
    onFailure(folder, error, retry) {
      notices.fail(error);
      const watching = vaultParts().then(({ watchSettings }) => watchSettings(folder, retry));
      return () => void watching.then((stop) => stop());
    },
  });
  active = vaults;
  const open: OpenExtension = { context, vaults, notices, questions };
  for (const provider of [
    BlockLenses,
    BlockDiagnostics,
    BlockCompletion,
    BlockHover,
    SectionHints,
  ]) {
    provider.add(open);
  }
  addRunning(open);
  addWriting(open);
  addNoteSessions(open);
  addServers(open);
  addHooks(open);
  addRuns(open);
  addStatusBar(open);
  addCallNotices(open);
  addSettings(open);
  addAssistant(open);
  addEditorTools(open);
  addGateway(open);
  addListNotesTool(open);
  addMail(open);
  addExample(open);
  context.subscriptions.push(
    log,
    commands.registerCommand('errand.showLog', () => log.show()),
    workspace.onDidGrantWorkspaceTrust(() => vaults.refresh()),
    workspace.onDidChangeWorkspaceFolders(() => vaults.refresh()),
  );
  return { extendMarkdownIt };
}

/** Everything that was started is ended when this resolves. */
export async function deactivate(): Promise<void> {
  await active?.[Symbol.asyncDispose]();
  active = undefined;
}
