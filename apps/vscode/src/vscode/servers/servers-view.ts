import { basename } from 'node:path';
import { onServersChange } from '@errand/workspace/servers';
import {
  EventEmitter,
  type TreeDataProvider,
  TreeItem,
  TreeItemCollapsibleState,
  window,
} from 'vscode';
import type { OpenExtension } from '../open-extension.ts';
import type { Vaults } from '../vaults.ts';
import { type ServerNode, serverItem, toolItem } from './server-item.ts';

/** The servers of all vaults, and below each its tools. */
export class ServersView implements TreeDataProvider<ServerNode> {
  readonly #vaults: Vaults;
  readonly #changed = new EventEmitter<void>();
  readonly onDidChangeTreeData = this.#changed.event;

  private constructor(vaults: Vaults) {
    this.#vaults = vaults;
  }

  /** Shows the view, which follows every server and ticks while one is about to be tried again. */
  static add({ context, vaults }: OpenExtension): void {
    const servers = new ServersView(vaults);
    const view = window.createTreeView('errand.servers', { treeDataProvider: servers });
    const tell = () => servers.#changed.fire();
    vaults.follow(({ vault }) => [onServersChange(vault, tell)]);
    const ticking = setInterval(() => {
      if (view.visible && servers.#isCountingDown()) tell();
    }, 1_000);
    context.subscriptions.push(view, vaults.onDidChange(tell), servers.#changed, {
      dispose: () => clearInterval(ticking),
    });
  }

  getTreeItem(node: ServerNode): TreeItem {
    switch (node.kind) {
      case 'vault':
        return new TreeItem(basename(node.session.folder), TreeItemCollapsibleState.Expanded);
      case 'server':
        return serverItem(node.session, node.id, Date.now());
      case 'tool':
        return toolItem(node.tool);
    }
  }

  async getChildren(node?: ServerNode): Promise<ServerNode[]> {
    if (node === undefined) {
      const sessions = await this.#vaults.openAll();
      const [only] = sessions;
      if (only !== undefined && sessions.length === 1) return serversOf(only);
      return sessions.map((session) => ({ kind: 'vault', session }));
    }
    if (node.kind === 'vault') return serversOf(node.session);
    if (node.kind === 'tool') return [];
    const { session, id } = node;
    const server = session.vault.host.servers.find(id)?.name ?? '';
    return session.tools.of(id).map((tool) => ({ kind: 'tool', session, server, tool }));
  }

  #isCountingDown(): boolean {
    return this.#vaults.sessions.some(({ vault }) =>
      vault.host.servers.snapshots().some(({ retryState }) => retryState.nextRetryAt !== undefined),
    );
  }
}

function serversOf(session: Parameters<typeof serverItem>[0]): ServerNode[] {
  return session.vault.host.servers
    .snapshots()
    .map(({ config }) => ({ kind: 'server', session, id: config.id }));
}
