import { basename } from 'node:path';
import { onServersChange } from '@errand/workspace/servers';
import { TreeItem, TreeItemCollapsibleState } from 'vscode';
import type { VaultSession } from '../../vault-session.ts';
import { addLiveTree } from '../live-tree.ts';
import type { OpenExtension } from '../open-extension.ts';
import { type ServerNode, serverItem, toolItem } from './server-item.ts';

/** Shows the servers of all vaults, and below each its tools; counts down while one is about to be tried again. */
export function addServersView(open: OpenExtension): void {
  const { vaults } = open;
  addLiveTree<ServerNode>(open, {
    id: 'errand.servers',
    item: itemOf,
    async children(node) {
      if (node?.kind === 'vault') return serversOf(node.session);
      if (node?.kind === 'server') return toolsOf(node);
      if (node !== undefined) return [];
      const sessions = await vaults.openAll();
      const [only] = sessions;
      if (only !== undefined && sessions.length === 1) return serversOf(only);
      return sessions.map((session) => ({ kind: 'vault', session }));
    },
    follow: ({ vault }, changed) => [onServersChange(vault, changed)],
    isTicking: () => vaults.sessions.some(isCountingDown),
  });
}

function itemOf(node: ServerNode): TreeItem {
  switch (node.kind) {
    case 'vault':
      return new TreeItem(basename(node.session.folder), TreeItemCollapsibleState.Expanded);
    case 'server':
      return serverItem(node.session, node.id, Date.now());
    case 'tool':
      return toolItem(node.tool);
  }
}

function serversOf(session: VaultSession): ServerNode[] {
  return session.vault.host.servers
    .snapshots()
    .map(({ config }) => ({ kind: 'server', session, id: config.id }));
}

function toolsOf({ session, id }: Extract<ServerNode, { readonly kind: 'server' }>): ServerNode[] {
  const server = session.vault.host.servers.find(id)?.name ?? '';
  return session.tools.of(id).map((tool) => ({ kind: 'tool', session, server, tool }));
}

function isCountingDown({ vault }: VaultSession): boolean {
  const { servers } = vault.host;
  return servers.snapshots().some(({ retryState }) => retryState.nextRetryAt !== undefined);
}
