import { basename, join } from 'node:path';
import type { HookProblem, HookView } from '@errand/hooks';
import { foreignLines, oneLine } from '@errand/host';
import { describeHook, isInvalidHook, nameServers } from '@errand/workspace/hooks';
import { Range, ThemeIcon, TreeItem, TreeItemCollapsibleState, Uri } from 'vscode';
import { hookLine, stateOfHook } from '../../hooks/hook-words.ts';
import { describeThrown } from '../../text/advice.ts';
import type { VaultSession } from '../../vault-session.ts';
import { addLiveTree } from '../live-tree.ts';
import type { OpenExtension } from '../open-extension.ts';
import { toneIcon } from '../tone-icon.ts';

/** A hook of a vault, as commands get it. */
export interface HookNode {
  readonly kind: 'hook';
  readonly session: VaultSession;
  readonly view: HookView;
}

interface ProblemNode {
  readonly kind: 'problem';
  readonly session: VaultSession;
  readonly problem: HookProblem;
}

type Node =
  | HookNode
  | { readonly kind: 'vault'; readonly session: VaultSession }
  | ProblemNode
  | { readonly kind: 'failure'; readonly message: string };

/** Shows the hooks of all vaults, whichever program runs them. */
export function addHooksView(open: OpenExtension): void {
  const { vaults } = open;
  addLiveTree<Node>(open, {
    id: 'errand.hooks',
    item: itemOf,
    async children(node) {
      if (node?.kind === 'vault') return nodesOf(node.session);
      if (node !== undefined) return [];
      const sessions = await vaults.openAll();
      const [only] = sessions;
      if (only !== undefined && sessions.length === 1) return nodesOf(only);
      return sessions.map((session) => ({ kind: 'vault', session }));
    },
    follow: ({ hooks }, changed) => [hooks.subscribe(changed)],
  });
}

async function nodesOf(session: VaultSession): Promise<Node[]> {
  try {
    const { hooks, problems } = await session.hooks.list();
    return [
      ...hooks.map((view) => ({ kind: 'hook', session, view }) as const),
      ...problems.map((problem) => ({ kind: 'problem', session, problem }) as const),
    ];
  } catch (error) {
    return [{ kind: 'failure', message: describeThrown(error) }];
  }
}

function itemOf(node: Node): TreeItem {
  switch (node.kind) {
    case 'vault':
      return new TreeItem(basename(node.session.folder), TreeItemCollapsibleState.Expanded);
    case 'hook':
      return hookItem(node);
    case 'problem':
      return problemItem(node);
    case 'failure': {
      const item = new TreeItem('Hooks cannot be shown');
      item.description = oneLine(node.message, 500);
      item.tooltip = node.message;
      item.iconPath = new ThemeIcon('warning');
      return item;
    }
  }
}

function hookItem(node: HookNode): TreeItem {
  const { session, view } = node;
  const { hook, verdict, pausedAt, servers } = view;
  const name = oneLine(hook.name);
  const item = new TreeItem(name);
  item.id = `${session.folder}\n${hook.id}`;
  const line = oneLine(hookLine(view, Date.now()), 500);
  const { tone, reason, isLive } = stateOfHook(view);
  const about = describeHook(nameServers(hook, servers)).flatMap((each) => foreignLines(each));
  item.description = line;
  item.tooltip = [`${name}: ${line}`, ...(reason ? foreignLines(reason) : []), ...about].join('\n');
  item.accessibilityInformation = { label: `${name}: ${line}. ${oneLine(reason ?? '', 500)}` };
  item.iconPath = isLive ? new ThemeIcon('sync~spin') : toneIcon(tone);
  item.contextValue = [
    'hook',
    verdict === 'trusted' ? 'agreed' : 'unagreed',
    hook.enabled && pausedAt === undefined ? 'enabled' : 'disabled',
    isInvalidHook(view) ? 'invalid' : 'valid',
  ].join(' ');
  item.command = { title: 'Edit Hook', command: 'errand.hook.edit', arguments: [node] };
  return item;
}

function problemItem({ session, problem }: ProblemNode): TreeItem {
  const { hookName, line, column, message } = problem;
  const item = new TreeItem(oneLine(hookName ?? 'An entry of .errand/hooks.json'));
  item.description = `line ${line}: ${oneLine(message, 500)}`;
  item.tooltip = `.errand/hooks.json:${line}:${column}: ${foreignLines(message).join('\n')}`;
  item.iconPath = toneIcon('bad');
  const range = new Range(line - 1, column - 1, line - 1, column - 1);
  const file = Uri.file(join(session.folder, '.errand/hooks.json'));
  item.command = {
    title: 'Open',
    command: 'vscode.open',
    arguments: [file, { selection: range }],
  };
  return item;
}
