import { commands } from 'vscode';
import type { OpenExtension } from '../open-extension.ts';
import type { ServerNode } from './server-item.ts';
import { addServersView } from './servers-view.ts';

type OfServer = Extract<ServerNode, { readonly kind: 'server' }>;

/** Shows the servers, and lets a person switch, test and try them. */
export function addServers(open: OpenExtension): void {
  const { context, notices } = open;
  addServersView(open);
  const register = (id: string, work: (node: OfServer) => Promise<unknown>) =>
    context.subscriptions.push(
      commands.registerCommand(`errand.server.${id}`, (node: OfServer) =>
        work(node).catch(notices.fail),
      ),
    );
  /** Asks for approval first if the server has none. */
  const starting = (work: (node: OfServer) => unknown, agree: string) => async (node: OfServer) => {
    const { session, id } = node;
    const server = session.vault.host.servers.find(id);
    if (server === undefined) return;
    if (await session.trustQuestions.ensure([server], agree)) await work(node);
  };
  const serversOf = ({ session }: OfServer) => session.vault.host.servers;
  register(
    'enable',
    starting((node) => serversOf(node).setEnabled(node.id, true), 'Agree and Enable'),
  );
  register('disable', (node) => serversOf(node).setEnabled(node.id, false));
  register(
    'tryNow',
    starting((node) => serversOf(node).tryNow(node.id), 'Agree and Start'),
  );
  register(
    'agree',
    starting((node) => serversOf(node).tryNow(node.id), 'Agree and Start'),
  );
  register(
    'test',
    starting(({ session, id }) => {
      const server = session.vault.host.servers.find(id);
      return server && session.vault.tests.begin(server);
    }, 'Agree and Test'),
  );
}
