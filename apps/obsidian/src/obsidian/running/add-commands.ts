import { HostError } from '@errand/host';
import { blockAtLine } from '@errand/workspace/runs';
import type { Editor, TFile } from 'obsidian';
import { urgentNotice } from '../../text/advice.ts';
import { runBlock } from '../blocks/run-block.ts';
import { notices, showFailure } from '../notices.ts';
import { ensureWholeNote } from '../open-notes.ts';
import type { OpenPlugin } from '../open-plugin.ts';
import { openSideView } from '../side-view/open-side-view.ts';
import { runWithNotice } from './run-with-notice.ts';
import { testConnections } from './test-connections.ts';

/** Adds the commands that run, stop and show. */
export function addCommands(open: OpenPlugin): void {
  const { plugin, vault, activity } = open;
  const { host } = vault;
  plugin.addCommand({
    id: 'run-block',
    name: 'Run block',
    editorCallback: (editor, { file }) => {
      if (file === null || !ensureWholeNote(plugin.app, editor, file)) return;
      void runBlockAt(open, editor, file).catch(showFailure);
    },
  });
  const ofNote = (id: string, name: string, run: (file: TFile) => Promise<void>) =>
    plugin.addCommand({
      id,
      name,
      checkCallback: (checking) => {
        const file = plugin.app.workspace.getActiveFile();
        if (file?.extension !== 'md') return false;
        if (!checking) void run(file).catch(showFailure);
        return true;
      },
    });
  ofNote('run-note', 'Run note', (file) => runWithNotice(open, file, {}));
  ofNote('run-note-again', 'Run note again', (file) => runWithNotice(open, file, {}, true));
  ofNote('run-stale', 'Run new and changed blocks', (file) =>
    runWithNotice(open, file, { stale: true }),
  );
  plugin.addCommand({
    id: 'stop',
    name: 'Stop executions',
    checkCallback: when(
      () => !host.tracker.stopped,
      () => host.stop(),
    ),
  });
  plugin.addCommand({
    id: 'resume',
    name: 'Resume executions',
    checkCallback: when(
      () => host.tracker.stopped,
      () => host.resume(),
    ),
  });
  plugin.addCommand({
    id: 'reset-session-limits',
    name: 'Reset session limits',
    callback: () => {
      for (const { id } of activity.sessions.list()) activity.sessions.reset(id);
      notices.notify({
        level: 'info',
        message: 'Every note and conversation counts its calls from zero again.',
      });
    },
  });
  const show = (part?: 'history') => void openSideView(plugin.app, part).catch(showFailure);
  plugin.addCommand({
    id: 'show-history',
    name: 'Show execution history',
    callback: () => show('history'),
  });
  plugin.addCommand({ id: 'open-side-view', name: 'Open side view', callback: () => show() });
  plugin.addCommand({
    id: 'test-connections',
    name: 'Test connections',
    callback: () => void testConnections(open).catch(showFailure),
  });
}

/** A command that is offered only when it would do something. */
function when(isOffered: () => boolean, run: () => void): (checking: boolean) => boolean {
  return (checking) => {
    if (!isOffered()) return false;
    if (!checking) run();
    return true;
  };
}

async function runBlockAt(open: OpenPlugin, editor: Editor, { path }: TFile): Promise<void> {
  const line = editor.getCursor().line + 1;
  const found = blockAtLine(open.blocks.of(path, editor.getValue()), line);
  if (found === undefined) {
    return notices.notify({
      level: 'info',
      message: 'There is no block at the cursor.',
      detail: 'Put the cursor into a block, or into its result, and run the command again.',
    });
  }
  const end = await runBlock(open, path, found.key, { force: false });
  // While the cursor stands in a block, its source is shown and not its card.
  const isReported = end === undefined || end.written || end.status === 'cancelled';
  if (!isReported && end.error && !urgentNotice(end.error)) throw HostError.of(end.error);
}
