import { Throttle } from '@errand/workspace/events';
import { EventEmitter, type TreeItem, type TreeView, window } from 'vscode';
import type { VaultSession } from '../vault-session.ts';
import type { OpenExtension } from './open-extension.ts';

/** What a view of the activity bar shows. */
export interface LiveTree<Node> {
  readonly id: string;
  readonly item: (node: Node) => TreeItem;
  readonly children: (node: Node | undefined) => Promise<Node[]>;
  /** Subscribes to what changes the tree. */
  readonly follow: (session: VaultSession, changed: () => void) => readonly (() => void)[];
  /** Whether something in it counts seconds, so that it is drawn each second while it is seen. */
  readonly isTicking?: () => boolean;
}

/** Shows a tree that is drawn anew when a vault is opened or tells of a change, at most ten times a second. */
export function addLiveTree<Node>(
  { context, vaults, notices }: OpenExtension,
  { id, item, children, follow, isTicking }: LiveTree<Node>,
): TreeView<Node> {
  const changes = new EventEmitter<void>();
  const throttle = new Throttle(notices.fail);
  const changed = () => throttle.run('changed', () => changes.fire());
  const view = window.createTreeView<Node>(id, {
    treeDataProvider: {
      onDidChangeTreeData: changes.event,
      getTreeItem: item,
      getChildren: children,
    },
  });
  vaults.follow((session) => follow(session, changed));
  context.subscriptions.push(view, changes, vaults.onDidChange(changed), {
    dispose: () => throttle[Symbol.dispose](),
  });
  if (isTicking !== undefined) {
    const ticking = setInterval(() => {
      if (view.visible && isTicking()) changed();
    }, 1_000);
    context.subscriptions.push({ dispose: () => clearInterval(ticking) });
  }
  return view;
}
