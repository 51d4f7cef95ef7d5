import {
  type Host,
  type ServerConfig,
  type ShownLaunch,
  sameEntry,
  type Trust,
  type TrustVerdict,
} from '@errand/host';

/** What a person has agreed to of a server, and what waits for approval. */
export interface ServerApproval {
  /** Whether its start was approved on this machine. */
  readonly verdict: TrustVerdict;
  /** Also when it is approved for this run only. */
  readonly mayStart: boolean;
  /** What its tools claim beyond what was agreed to. */
  readonly claims: readonly string[];
}

/** Finds what of a server waits for approval: its start, or what its tools claim. */
export function serverApproval(
  {
    host,
    trust,
  }: {
    readonly host: Pick<Host, 'hints'>;
    readonly trust: Pick<Trust, 'verdict' | 'mayStart'>;
  },
  server: ServerConfig,
): ServerApproval {
  // A program that runs here lends it.
  const verdict = server.deploymentType === 'face' ? 'trusted' : trust.verdict(server);
  const mayStart = verdict === 'trusted' || trust.mayStart(server) === undefined;
  return { verdict, mayStart, claims: host.hints.changes(server) };
}

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
