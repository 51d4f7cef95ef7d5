import type { Host, HostError, ServerFeatures } from '@errand/host';
import { type KnownServer, knownServers, knownTools, offeredPrefix } from '@errand/host';
import type { AbsentServer, ContentServer, GatewayContent, GatewayHost } from './gateway-host.ts';
import { StartingServers } from './starting-servers.ts';

interface GatewayHostOptions {
  /** Calls of one client; -1, the default, is unlimited. */
  readonly sessionLimit?: number;
  /** Says why a call is not admitted; asked before each one. */
  readonly admit?: (sessionId: string) => Promise<HostError | undefined>;
  /** How long a list of tools waits for servers that are starting, in milliseconds. */
  readonly patienceMs?: number;
}

/** Calls of more clients than this are not counted separately. */
const maxSessions = 1000;

/** What the gateway needs, from a host: the tools of its servers but of those that a face lends, and its executor. */
export function gatewayHostFrom(
  host: Host,
  { sessionLimit = -1, patienceMs, admit: admitShared }: GatewayHostOptions = {},
): GatewayHost {
  const admit = sessionAdmission(host, sessionLimit);
  const starting = new StartingServers(host, patienceMs);
  return {
    tools: () => knownTools(host).filter(({ server }) => !isLent(host, server.id)),
    execute: (request, options) => {
      admit(request.sessionId);
      if (admitShared === undefined) return host.execute(request, options);
      return admitShared(request.sessionId).then((refusal) =>
        refusal === undefined
          ? host.execute(request, options)
          : { requestId: request.id, attempts: 0, durationMs: 0, status: 'error', error: refusal },
      );
    },
    arrivals: (signal) => starting.wait(signal),
    absentServerOf: (name) => absentServerOf(host, name),
    onToolsChanged: (listener) => {
      let before = knownServers(host);
      return host.events.subscribe(({ kind }) => {
        if (kind !== 'server-changed' && kind !== 'settings-changed') return;
        const after = knownServers(host);
        if (isSame(before, after)) return;
        before = after;
        listener();
      });
    },
    content: contentOf(host),
  };
}

function contentOf(host: Host): GatewayContent {
  const { servers, events } = host;
  /** Of connected servers, and of those that are on their way back. */
  const known = new Map<string, ServerFeatures>();
  return {
    servers: () =>
      servers.list().flatMap(({ id, name }): readonly ContentServer[] => {
        const { phase, features: declared, lastAttemptAt = 0 } = servers.progress(id);
        const isConnected = phase === 'connected';
        const features = isConnected ? declared : known.get(id);
        if (features === undefined || phase === 'off') {
          known.delete(id);
          return [];
        }
        known.set(id, features);
        return [{ id, name, features, ...(isConnected && { connection: lastAttemptAt }) }];
      }),
    request: (serverId, request, signal) => servers.content(serverId, request, signal),
    isStopped: () => host.tracker.stopped,
    subscribe: (serverId, uri, signal) => servers.subscribe(serverId, uri, signal),
    onChanged: (listener) =>
      events.subscribe((event) => {
        if (event.kind === 'content-changed') listener(event.serverId, event.change);
        else if (event.kind === 'server-changed' || event.kind === 'settings-changed') listener();
      }),
  };
}

function absentServerOf({ servers }: Host, name: string): AbsentServer | undefined {
  const entry = servers.list().find((server) => name.startsWith(offeredPrefix(server.name)));
  if (entry === undefined || entry.deploymentType === 'face') return undefined;
  if (servers.progress(entry.id).phase === 'connected') return undefined;
  const toolName = name.slice(offeredPrefix(entry.name).length);
  return {
    guess: {
      server: { id: entry.id, name: entry.name },
      tool: { name: toolName, inputSchema: {} },
    },
    settled: async (signal) => {
      // For a server that was connected before, calls wait in the executor, which reports why it failed.
      if (servers.lastTools(entry.id) !== undefined) return;
      await servers.tools(entry.id, signal).catch(() => undefined);
    },
  };
}

/** What an editor lends is for the notes of its person, and not for whoever reaches the gateway. */
function isLent({ servers }: Host, id: string): boolean {
  return servers.find(id)?.deploymentType === 'face';
}

function isSame(before: readonly KnownServer[], after: readonly KnownServer[]): boolean {
  const isEqual = ({ id, name, tools, state }: KnownServer, index: number) => {
    const other = after[index];
    return (
      other?.id === id && other.name === name && other.tools === tools && other.state === state
    );
  };
  return before.length === after.length && before.every(isEqual);
}

function sessionAdmission({ sessions }: Host, limit: number): (sessionId: string) => void {
  const known = new Set<string>();
  return (sessionId) => {
    if (known.has(sessionId)) return;
    known.add(sessionId);
    sessions.setLimit(sessionId, limit);
    if (known.size <= maxSessions) return;
    const [oldest = ''] = known;
    known.delete(oldest);
    sessions.close(oldest);
  };
}
