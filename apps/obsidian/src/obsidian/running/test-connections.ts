import { ensureTrust } from '../ask-trust.ts';
import { notices } from '../notices.ts';
import type { OpenPlugin } from '../open-plugin.ts';
import { openSideView } from '../side-view/open-side-view.ts';

/** Tests every server that is not switched off, with each step in the side view, and says how many work. */
export async function testConnections(open: OpenPlugin): Promise<void> {
  const { plugin, vault } = open;
  const servers = vault.host.servers
    .list()
    .filter(({ enabled, autoDisabled }) => enabled || autoDisabled);
  await openSideView(plugin.app);
  if (servers.length === 0) {
    const message = 'There is no server to test.';
    return notices.notify({ level: 'info', message, detail: 'Add one in the settings of Errand.' });
  }
  if (!(await ensureTrust(open, servers))) return;
  await Promise.all(servers.map((server) => vault.tests.begin(server)));
  const failed = servers.filter(({ id }) => vault.tests.of(id)?.error !== undefined);
  const works = `${servers.length - failed.length} of ${servers.length} servers work`;
  notices.notify({
    level: failed.length > 0 ? 'warning' : 'info',
    message: works,
    ...(failed.length > 0 && {
      detail: `${failed.map(({ name }) => name).join(', ')}: the side view says why.`,
    }),
  });
}
