import { insertBlock, requestAt, resolveSections, scan } from '@errand/document';
import { requestTemplate, type ServerConfig } from '@errand/host';
import { KnownTools, type SuggestionContext, writeTool } from '@errand/workspace/suggestions';
import type { Editor } from 'obsidian';
import { notices, showFailure } from '../notices.ts';
import { ensureWholeNote, isWholeNote } from '../open-notes.ts';
import type { OpenPlugin } from '../open-plugin.ts';
import { chooseTool, startServer } from './choose-tool.ts';
import { RequestSuggest } from './request-suggest.ts';
import type { OfferedTool } from './tool-modal.ts';
import { writeInto } from './write-into.ts';

/** Helps to write requests: suggestions while typing, and a search over all tools. */
export function addWriting(open: OpenPlugin): void {
  const { plugin, vault } = open;
  const { servers } = vault.host;
  const tools = new KnownTools(vault.host);
  const closing = new AbortController();
  plugin.register(() => {
    tools[Symbol.dispose]();
    closing.abort();
  });
  const ports = { open, tools, closing: closing.signal };
  const context = (documentPath: string): SuggestionContext => ({
    ...servers.noteContext(documentPath),
    tools: (serverId) => tools.of(serverId),
  });
  plugin.registerEditorSuggest(
    new RequestSuggest(plugin.app, {
      context,
      isWholeNote: (path, text) => isWholeNote(plugin.app, path, text),
      chooseTool(serverId, editor) {
        const server = servers.find(serverId);
        if (server === undefined) return;
        void startServer(ports, server)
          .then((isStarted) => {
            if (isStarted) chooseTool(ports, [server], (chosen) => fillIn(editor, chosen));
          })
          .catch(showFailure);
      },
    }),
  );
  plugin.addCommand({
    id: 'insert-tool-call',
    name: 'Insert tool call',
    editorCallback(editor, { file }) {
      if (!ensureWholeNote(plugin.app, editor, file)) return;
      const allowed = serversAt(editor, context(file?.path ?? ''));
      if (allowed === undefined) return;
      chooseTool(ports, allowed, (chosen) => insert(editor, chosen));
    },
  });
}

/** The servers whose tools may be called at the cursor; shows a notice with the reason when there is none. */
function serversAt(
  editor: Editor,
  context: SuggestionContext,
): readonly ServerConfig[] | undefined {
  const note = scan(editor.getValue());
  const decision = resolveSections(note, context).decide(editor.getCursor().line + 1);
  const tell = (message: string, detail: string) => {
    notices.notify({ level: 'warning', message, detail });
    return undefined;
  };
  if (decision.kind === 'refused') {
    return tell('No server may be called here.', decision.message);
  }
  const bound = decision.kind === 'bound' ? decision.server : undefined;
  const allowed = context.servers.filter(({ name }) => bound === undefined || name === bound);
  const enabled = allowed.filter((server) => server.enabled);
  if (enabled.length > 0) return enabled;
  if (context.servers.length === 0) {
    return tell('This vault has no servers.', 'Add one in the settings of Errand.');
  }
  const message =
    bound === undefined
      ? 'No server is enabled.'
      : `This section is bound to ${bound}, which is disabled.`;
  return tell(message, 'Enable it in the settings of Errand.');
}

/** Writes the tool behind `tool:` if the cursor is still there, or else a block of its own. */
function fillIn(editor: Editor, chosen: Required<OfferedTool>): void {
  const note = scan(editor.getValue());
  const place = requestAt(note, editor.posToOffset(editor.getCursor()));
  if (place?.kind === 'value' && place.name === 'tool') {
    writeInto(editor, writeTool(note, place, chosen.tool));
  } else insert(editor, chosen);
}

function insert(editor: Editor, { server, tool }: Required<OfferedTool>): void {
  const note = scan(editor.getValue());
  const cursor = editor.posToOffset(editor.getCursor());
  const { lines, firstValue } = requestTemplate(server.name, tool);
  const inserted = insertBlock(note, cursor, lines);
  if (inserted === null) {
    const message =
      'The code block at the cursor is not closed, so nothing can be inserted below it.';
    const detail = 'Close it with a line of backticks like the one it begins with, and try again.';
    notices.notify({ level: 'warning', message, detail });
    return;
  }
  const { line, from, to } = firstValue;
  const selection = [inserted.offsetOf(line, from), inserted.offsetOf(line, to)] as const;
  writeInto(editor, { edits: [inserted.edit], selection });
}
