import { type Host, type ShownLaunch, sameEntry, type Trust } from '@errand/host';

/** Stores a person's approval of exactly what was shown, and connects what is enabled at once. */
export async function approveServers(
  { host, trust }: { readonly host: Pick<Host, 'servers'>; readonly trust: Pick<Trust, 'agreeTo'> },
  shown: readonly ShownLaunch[],
): Promise<void> {
  await trust.agreeTo(shown);
  for (const { server } of shown) {
    const now = host.servers.list().find(({ id }) => id === server.id);
    // It may have been changed since it was shown.
    if (now?.enabled && sameEntry(now, server)) host.servers.tryNow(now.id);
  }
}
