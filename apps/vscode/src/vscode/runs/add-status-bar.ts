import { describeStatus } from '@errand/workspace/activity';
import { Throttle } from '@errand/workspace/events';
import { onServersChange } from '@errand/workspace/servers';
import { StatusBarAlignment, ThemeColor, window } from 'vscode';
import type { OpenExtension } from '../open-extension.ts';

/** Says what runs, how much of its calls the note has used, and which servers need attention, and how much mail waits. */
export function addStatusBar({ context, vaults, notices }: OpenExtension): void {
  const item = window.createStatusBarItem('errand.status', StatusBarAlignment.Left);
  item.name = 'Errand';
  item.command = 'errand.runs.focus';
  const throttle = new Throttle(notices.fail);
  const draw = () => {
    const uri = window.activeTextEditor?.document.uri;
    const shown = uri && vaults.openNoteAt(uri);
    const parts = vaults.sessions.flatMap((session) =>
      describeStatus(session.activity, session.vault, {
        note: shown?.session === session ? shown.path : undefined,
        idleHooks: undefined,
        mail: session.mail.counts,
      }),
    );
    if (parts.length === 0) return item.hide();
    const isWarning = parts.some((part) => part.isWarning);
    item.text = `$(${isWarning ? 'warning' : 'play'}) ${parts.map(({ text }) => text).join(', ')}`;
    item.tooltip = `Errand. ${parts.map(({ label }) => label).join('. ')}`;
    item.backgroundColor = isWarning
      ? new ThemeColor('statusBarItem.warningBackground')
      : undefined;
    item.show();
  };
  const soon = () => throttle.run('draw', draw);
  vaults.follow(({ activity, vault, mail }) => [
    activity.subscribe(soon),
    onServersChange(vault, soon),
    mail.subscribe(soon),
  ]);
  context.subscriptions.push(
    item,
    vaults.onDidChange(soon),
    window.onDidChangeActiveTextEditor(soon),
    { dispose: () => throttle[Symbol.dispose]() },
  );
}
