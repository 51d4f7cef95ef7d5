import type { Host, LoadedSettings, Servers, ToolDescription } from '@errand/host';

/** The engine that serves a face right now, and the way to work that outlives a change of it. */
export interface EngineAccess {
  readonly current: () => Pick<Host, 'servers'>;
  /** Does something with the present owner, and with the next one where that is being looked for. */
  readonly tell: (work: (host: Pick<Host, 'servers'>) => void) => void;
  /** Lends a server to whichever program owns the vault, now and later. */
  readonly lend: Servers['lend'];
  /** Does something that may be done twice, again if the owner leaves meanwhile. */
  readonly settled: <Result>(
    work: (host: Pick<Host, 'servers'>) => Promise<Result>,
    signal?: AbortSignal,
  ) => Promise<Result>;
}

/** The servers of whichever program owns the vault at the moment. */
export function sharedServers(
  { current, tell, settled, lend }: EngineAccess,
  onStart: () => void,
): Servers {
  const servers = () => current().servers;
  return {
    get settings(): LoadedSettings {
      return servers().settings;
    },
    list: () => servers().list(),
    find: (idOrName) => servers().find(idOrName),
    noteContext: (path) => servers().noteContext(path),
    snapshots: () => servers().snapshots(),
    snapshot: (id) => servers().snapshot(id),
    progress: (id) => servers().progress(id),
    knownTools: (id): readonly ToolDescription[] => servers().knownTools(id),
    lastTools: (id) => servers().lastTools(id),
    tools: (id, signal) => settled((host) => host.servers.tools(id, signal), signal),
    refreshTools: (id, signal) => settled((host) => host.servers.refreshTools(id, signal), signal),
    details: (id) => settled((host) => host.servers.details(id)),
    content: (id, request, signal) =>
      settled((host) => host.servers.content(id, request, signal), signal),
    subscribe: (id, uri, signal) =>
      settled((host) => host.servers.subscribe(id, uri, signal), signal),
    setEnabled: (id, enabled, signal) =>
      settled((host) => host.servers.setEnabled(id, enabled, signal), signal),
    start() {
      onStart();
      servers().start();
    },
    tryNow: (id) => tell((host) => host.servers.tryNow(id)),
    apply: (saved) => servers().apply(saved),
    lend,
  };
}
