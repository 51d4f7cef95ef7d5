import { bindSection, insertBlock, requestAt, resolveSections, scan } from '@errand/document';
import {
  foreignName,
  HostError,
  requestTemplate,
  type ServerConfig,
  type ToolDescription,
} from '@errand/host';
import { bindingChoices } from '@errand/workspace/sections';
import { type Insertion, writeTool } from '@errand/workspace/suggestions';
import {
  commands,
  ProgressLocation,
  type QuickPickItem,
  Selection,
  type TextEditor,
  window,
} from 'vscode';
import type { OpenExtension } from '../open-extension.ts';
import type { NoteOfVault } from '../vaults.ts';
import { noteOf } from './add-running.ts';
import { suggestionContext } from './block-completion.ts';
import { rangeOf } from './editor-note.ts';

/** A tool of a server, as a person chose it. */
interface OfferedTool {
  readonly server: ServerConfig;
  readonly tool: ToolDescription;
}

/** Helps to write requests: a search over all tools, and a choice of servers for a section. */
export function addWriting(open: OpenExtension): void {
  const { context, notices } = open;
  const register = (id: string, work: (...args: unknown[]) => Promise<void>) =>
    context.subscriptions.push(
      commands.registerCommand(`errand.${id}`, (...args: unknown[]) =>
        work(...args).catch(notices.fail),
      ),
    );
  register('insertToolCall', async () => {
    const here = await editorHere(open);
    if (here === undefined) return;
    const { editor, note } = here;
    const allowed = serversAt(note, editor);
    const chosen = await chooseTool(note.session, allowed);
    if (chosen !== undefined) await insert(editor, chosen);
  });
  register('tool.insert', async (node) => {
    const here = await editorHere(open);
    const { session, server, tool } = node as ToolNode;
    const entry = session.vault.host.servers.find(server);
    if (here !== undefined && entry !== undefined) {
      await insert(here.editor, { server: entry, tool });
    }
  });
  register('startForTools', async (_uri, serverId) => {
    const here = await editorHere(open);
    const server = here?.note.session.vault.host.servers.find(String(serverId));
    if (here === undefined || server === undefined) return;
    const chosen = await chooseTool(here.note.session, [server]);
    if (chosen !== undefined) await fillIn(here.editor, chosen);
  });
  register('bindSection', async () => {
    const here = await editorHere(open);
    if (here !== undefined) await bind(open, here.editor, here.note);
  });
}

interface ToolNode {
  readonly session: NoteOfVault['session'];
  readonly server: string;
  readonly tool: ToolDescription;
}

async function editorHere(open: OpenExtension) {
  const editor = window.activeTextEditor;
  const note = await noteOf(open);
  return editor === undefined || note === undefined ? undefined : { editor, note };
}

/** The servers whose tools may be called at the cursor. */
function serversAt(note: NoteOfVault, editor: TextEditor): readonly ServerConfig[] {
  const context = suggestionContext(note);
  const line = editor.selection.active.line + 1;
  const decision = resolveSections(scan(editor.document.getText()), context).decide(line);
  if (decision.kind === 'refused') throw new HostError('section_forbids', decision.message);
  const bound = decision.kind === 'bound' ? decision.server : undefined;
  const allowed = context.servers.filter(({ name }) => bound === undefined || name === bound);
  const enabled = allowed.filter((server) => server.enabled);
  if (enabled.length > 0) return enabled;
  const [disabled] = allowed;
  const advice =
    disabled === undefined
      ? ([{ kind: 'add-server' }] as const)
      : ([{ kind: 'enable-server', server: disabled.name }] as const);
  throw new HostError('server_disabled', 'No server is enabled here.', {}, { advice });
}

interface OfferedRow extends QuickPickItem {
  readonly server: ServerConfig;
  /** Unknown until the server is started. */
  readonly tool: ToolDescription | undefined;
}

/** Lets a person choose a tool. A server whose tools are unknown is started for it, once they agree. */
async function chooseTool(
  session: NoteOfVault['session'],
  servers: readonly ServerConfig[],
): Promise<OfferedTool | undefined> {
  const offered = servers.flatMap((server): OfferedRow[] => {
    const known = session.tools.of(server.id);
    if (known.length === 0) {
      const label = `$(play) Start ${server.name}`;
      return [{ label, description: 'to see its tools', server, tool: undefined }];
    }
    return known.map((tool) => ({
      label: foreignName(tool.name),
      description: server.name,
      detail: foreignName((tool.description ?? tool.title ?? '').split('\n', 1)[0] ?? ''),
      server,
      tool,
    }));
  });
  const chosen = await window.showQuickPick(offered, {
    placeHolder: 'Choose the tool to call',
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (chosen === undefined) return undefined;
  const { server, tool } = chosen;
  if (tool !== undefined) return { server, tool };
  if (!(await session.trustQuestions.ensure([server], 'Agree and Start'))) return undefined;
  const title = `Starting ${server.name}`;
  await window.withProgress({ location: ProgressLocation.Notification, title }, () =>
    session.vault.host.servers.tools(server.id, AbortSignal.timeout(startMs)),
  );
  return chooseTool(session, [server]);
}

/** Longer than any server may take to start by its settings. */
const startMs = 10 * 60_000;

/** Writes the tool behind `tool:` if the cursor is still there, or else a block of its own. */
async function fillIn(editor: TextEditor, chosen: OfferedTool): Promise<void> {
  const { document, selection } = editor;
  const note = scan(document.getText());
  const place = requestAt(note, document.offsetAt(selection.active));
  if (place?.kind === 'value' && place.name === 'tool') {
    await write(editor, writeTool(note, place, chosen.tool));
  } else await insert(editor, chosen);
}

async function insert(editor: TextEditor, { server, tool }: OfferedTool): Promise<void> {
  const { document, selection } = editor;
  const { lines, firstValue } = requestTemplate(server.name, tool);
  const note = scan(document.getText());
  const inserted = insertBlock(note, document.offsetAt(selection.active), lines);
  if (inserted === null) throw new HostError('block_invalid', unclosed);
  const { line, from, to } = firstValue;
  await write(editor, {
    edits: [inserted.edit],
    selection: [inserted.offsetOf(line, from), inserted.offsetOf(line, to)],
  });
}

const unclosed =
  'The code block at the cursor is not closed, so nothing can be inserted below it. Close it, and try again.';

/** Writes into an editor in one step of undo, and puts the cursor where the person goes on. */
export async function write(editor: TextEditor, { edits, selection }: Insertion): Promise<void> {
  const { document } = editor;
  await editor.edit((builder) => {
    for (const { range, text } of edits) builder.replace(rangeOf(document, range), text);
  });
  const [from, to] = selection;
  editor.selection = new Selection(document.positionAt(from), document.positionAt(to));
}

async function bind(open: OpenExtension, editor: TextEditor, note: NoteOfVault): Promise<void> {
  const context = () => note.session.vault.host.servers.noteContext(note.path);
  const line = () => editor.selection.active.line + 1;
  const choices = bindingChoices(scan(editor.document.getText()), context(), line());
  const chosen = await window.showQuickPick(
    choices.map((choice) => ({ label: choice.label, description: choice.detail, choice })),
    { placeHolder: 'Choose the server that this section may call' },
  );
  if (chosen === undefined) return;
  const { part, wanted } = chosen.choice;
  // The note may have been changed since; the cursor has gone along with its text.
  const now = part.kind === 'section' ? ({ kind: 'section', line: line() } as const) : part;
  const bound = bindSection(scan(editor.document.getText()), context(), now, wanted);
  if (bound.kind === 'refused') {
    const message = `The section was not bound. ${bound.message}`;
    throw new HostError('section_forbids', message);
  }
  if (bound.kind === 'unchanged') {
    const message = 'The note already has this binding. Nothing was changed.';
    return open.notices.notify({ level: 'info', message });
  }
  await editor.edit((builder) => {
    for (const { range, text } of bound.edits) {
      builder.replace(rangeOf(editor.document, range), text);
    }
  });
}
