import type { Host } from '../create-host.ts';
import { type ConnectedServer, connectedServers, offeredTools } from '../tools/offered-tools.ts';
import { awaitServers } from './await-servers.ts';
import type { GatewayHost } from './gateway-host.ts';

export interface SessionOptions {
  /** Calls of one client; -1, the default, is unlimited. */
  readonly sessionLimit?: number;
}

/** More clients than this at once are not told apart by their number of calls. */
const mostSessions = 1000;

/** What the gateway needs, from a host: the tools of its connected servers, and its executor. */
export function gatewayHostFrom(
  host: Host,
  { sessionLimit = -1 }: SessionOptions = {},
): GatewayHost {
  const admit = sessionAdmission(host, sessionLimit);
  return {
    tools: () => offeredTools(host),
    execute: (request, options) => {
      admit(request.sessionId);
      return host.execute(request, options);
    },
    arrivals: (signal) => awaitServers(host, signal),
    onToolsChanged: (listener) => {
      let before = connectedServers(host);
      return host.events.subscribe(({ kind }) => {
        if (kind !== 'server-changed' && kind !== 'settings-changed') return;
        const after = connectedServers(host);
        if (isSame(before, after)) return;
        before = after;
        listener();
      });
    },
  };
}

function isSame(before: readonly ConnectedServer[], after: readonly ConnectedServer[]): boolean {
  const isEqual = ({ id, name, tools }: ConnectedServer, index: number) => {
    const other = after[index];
    return other?.id === id && other.name === name && other.tools === tools;
  };
  return before.length === after.length && before.every(isEqual);
}

function sessionAdmission({ sessions }: Host, limit: number): (sessionId: string) => void {
  const known = new Set<string>();
  return (sessionId) => {
    if (known.has(sessionId)) return;
    known.add(sessionId);
    sessions.setLimit(sessionId, limit);
    if (known.size <= mostSessions) return;
    const [oldest = ''] = known;
    known.delete(oldest);
    sessions.close(oldest);
  };
}
