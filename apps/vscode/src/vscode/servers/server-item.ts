import type { ServerSnapshot, ToolDescription } from '@errand/host';
import { foreignLines, foreignName } from '@errand/host';
import { describeServerState, serverFacts, stateLine } from '@errand/workspace/servers';
import { ThemeIcon, TreeItem, TreeItemCollapsibleState } from 'vscode';
import { describeThrown, inVscode } from '../../text/advice.ts';
import type { VaultSession } from '../../vault-session.ts';
import { toneIcon } from '../tone-icon.ts';

/** A row of the view Servers. */
export type ServerNode =
  | { readonly kind: 'vault'; readonly session: VaultSession }
  | { readonly kind: 'server'; readonly session: VaultSession; readonly id: string }
  | {
      readonly kind: 'tool';
      readonly session: VaultSession;
      readonly server: string;
      readonly tool: ToolDescription;
    };

/** How a server is, why, and what can be done about it. */
export function serverItem(session: VaultSession, id: string, now: number): TreeItem {
  const { host, tests } = session.vault;
  const snapshot = host.servers.snapshot(id);
  const { name } = snapshot.config;
  const test = tests.of(id);
  const state = describeServerState(snapshot, {
    say: inVscode,
    failedTest: test?.error === undefined ? undefined : describeThrown(test.error),
  });
  const hasTools = session.tools.of(id).length > 0;
  const item = new TreeItem(
    name,
    hasTools ? TreeItemCollapsibleState.Collapsed : TreeItemCollapsibleState.None,
  );
  item.id = `${session.folder}\n${id}`;
  const facts = test?.isRunning ? ['Testing'] : serverFacts(snapshot);
  const line = [stateLine(state, snapshot, now), ...facts].join(', ');
  item.description = line;
  item.tooltip = [`${name}: ${line}`, ...(state.reason === null ? [] : [state.reason])].join('\n');
  item.iconPath = toneIcon(state.tone);
  item.contextValue = contextOf(snapshot);
  item.accessibilityInformation = { label: item.tooltip };
  return item;
}

/** What its commands are offered by. */
function contextOf({ trust, enabled, connectionState, config }: ServerSnapshot): string {
  if (config.deploymentType === 'face') return 'server lent';
  return [
    'server',
    trust === 'trusted' ? 'agreed' : 'unagreed',
    enabled ? 'enabled' : 'disabled',
    connectionState,
  ].join(' ');
}

/** A tool, which can be put into a note. A stranger wrote its texts. */
export function toolItem({ name, title, description }: ToolDescription): TreeItem {
  const item = new TreeItem(foreignName(name));
  const about = foreignLines(description ?? title ?? '').join('\n');
  item.description = about.split('\n', 1)[0] ?? '';
  item.tooltip = about;
  item.iconPath = new ThemeIcon('symbol-method');
  item.contextValue = 'tool';
  return item;
}
