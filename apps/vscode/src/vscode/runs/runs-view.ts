import { duration } from '@errand/document/display';
import {
  type ActiveCall,
  callStatusLabels,
  type PastCall,
  readHistory,
} from '@errand/workspace/activity';
import { ago, describeProgress } from '@errand/workspace/text';
import { MarkdownString, ThemeColor, ThemeIcon, TreeItem, type ViewBadge } from 'vscode';
import type { VaultSession } from '../../vault-session.ts';
import { addLiveTree } from '../live-tree.ts';
import type { OpenExtension } from '../open-extension.ts';
import type { Vaults } from '../vaults.ts';

/** A row of the view Runs. */
export type CallNode =
  | { readonly kind: 'active'; readonly session: VaultSession; readonly call: ActiveCall }
  | PastNode;

interface PastNode {
  readonly kind: 'past';
  readonly session: VaultSession;
  readonly call: PastCall;
}

/** How many calls of the past are shown of each vault. */
const shownAtOnce = 100;

/** Shows what runs and waits, and the calls that have ended, newest first; also calls of other programs on the vault. */
export function addRunsView(open: OpenExtension): void {
  const { vaults } = open;
  const view = addLiveTree<CallNode>(open, {
    id: 'errand.runs',
    item: (node) => (node.kind === 'active' ? activeItem(node.call) : pastItem(node)),
    async children(node) {
      if (node !== undefined) return [];
      const sessions = await vaults.openAll();
      const past = await Promise.all(sessions.map(pastCalls));
      const ended = past.flat().sort((a, b) => b.call.submittedAt - a.call.submittedAt);
      return [...sessions.flatMap(activeCalls), ...ended];
    },
    follow: ({ activity }, changed) => [activity.subscribe(changed)],
    isTicking: () => vaults.sessions.some((session) => activeCalls(session).length > 0),
  });
  vaults.follow(({ mail }) => [
    mail.subscribe(() => {
      view.badge = mailBadge(vaults);
    }),
  ]);
}

function activeCalls(session: VaultSession): CallNode[] {
  return session.activity.snapshot.active.map((call) => ({ kind: 'active', session, call }));
}

async function pastCalls(session: VaultSession): Promise<PastNode[]> {
  const { calls } = await readHistory(session.vault.log, { limit: shownAtOnce });
  return calls.map((call) => ({ kind: 'past', session, call }));
}

/** What waits for a person in the mailrooms of all vaults. */
function mailBadge({ sessions }: Vaults): ViewBadge | undefined {
  const value = sessions.reduce(
    (sum, { mail: { counts } }) => sum + (counts?.waiting ?? 0) + (counts?.wrong ?? 0),
    0,
  );
  return value === 0 ? undefined : { value, tooltip: `Mail that waits for you: ${value}` };
}

function activeItem(call: ActiveCall): TreeItem {
  const { id, server, tool, status, startedAt, submittedAt, progress } = call;
  const isRunning = status === 'executing';
  const item = new TreeItem(`${server} · ${tool}`);
  item.id = id;
  const time = duration(Date.now() - (startedAt ?? submittedAt));
  const state = `${isRunning ? 'Running' : 'Waiting'} ${time}`;
  const made = progress === null ? [] : [describeProgress(progress)];
  item.description = [state, ...made, ...place(call)].join(' · ');
  item.iconPath = new ThemeIcon(isRunning ? 'sync~spin' : 'clock');
  item.contextValue = `call active ${call.isOwn ? 'own' : 'foreign'} ${call.note === null ? '' : 'note'}`;
  return item;
}

function pastItem(node: PastNode): TreeItem {
  const { call } = node;
  const { id, server, tool, status, durationMs, submittedAt, error } = call;
  const item = new TreeItem(`${server} · ${tool}`);
  item.id = id;
  const facts = [callStatusLabels[status], duration(durationMs), ago(Date.now() - submittedAt)];
  item.description = [...facts, ...place(call)].join(' · ');
  const about = [...facts, ...place(call), ...(error === null ? [] : [error.message])].join('\n');
  item.tooltip = new MarkdownString().appendText(about);
  const isFailed = status === 'error' || status === 'timeout';
  item.iconPath = isFailed
    ? new ThemeIcon('error', new ThemeColor('list.errorForeground'))
    : new ThemeIcon(status === 'success' ? 'check' : 'circle-slash');
  item.contextValue = `call past ${call.note === null ? '' : 'note'}`;
  if (call.note !== null) {
    item.command = { title: 'Open Note', command: 'errand.call.openNote', arguments: [node] };
  }
  return item;
}

function place({ note, line }: ActiveCall | PastCall): readonly string[] {
  return note === null ? [] : [line === null ? note : `${note}:${line}`];
}
