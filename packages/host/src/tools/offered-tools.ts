import type { ToolDescription } from '../connection.ts';
import type { Host } from '../create-host.ts';
import type { Tools } from '../registry/tool-list.ts';

/** A tool and the server it is on. */
export interface OfferedTool {
  readonly server: { readonly id: string; readonly name: string };
  readonly tool: ToolDescription;
  /** Why it cannot be called at this moment. */
  readonly state?: UnavailableState;
}

/** Why tools that are known cannot be called: their server comes back by itself, or was given up. */
type UnavailableState = 'restarting' | 'disabled';

/** A server whose tools are known, with the tools it listed last. */
export interface KnownServer {
  readonly id: string;
  readonly name: string;
  readonly tools: Tools;
  readonly state?: UnavailableState;
}

/**
 * The servers whose tools are known, in the order of the settings: those that are connected, and those that
 * were lost or given up since. One that a person switched off is not among them.
 */
export function knownServers({ servers }: Pick<Host, 'servers'>): readonly KnownServer[] {
  return servers.list().flatMap(({ id, name }) => {
    const tools = servers.lastTools(id);
    if (tools === undefined) return [];
    const { phase, isGivenUp } = servers.progress(id);
    if (phase === 'connected') return [{ id, name, tools }];
    if (phase !== 'off') return [{ id, name, tools, state: 'restarting' as const }];
    return isGivenUp ? [{ id, name, tools, state: 'disabled' as const }] : [];
  });
}

/** The tools of all servers that are known. */
export function knownTools(host: Pick<Host, 'servers'>): readonly OfferedTool[] {
  return knownServers(host).flatMap(({ id, name, tools, state }) => {
    const server = { id, name };
    return [...tools.values()].map((tool) => ({ server, tool, ...(state && { state }) }));
  });
}

/** What can be called at this moment: the tools of all connected servers. */
export function offeredTools(host: Pick<Host, 'servers'>): readonly OfferedTool[] {
  return knownTools(host).filter(({ state }) => state === undefined);
}

/** The name under which others know a tool; a server's name has no `__`. */
export function offeredName({ server, tool }: OfferedTool): string {
  return offeredPrefix(server.name) + tool.name;
}

/** What the names of a server's tools begin with. */
export function offeredPrefix(server: string): string {
  return `${server}__`;
}

/** The schema others are given: many refuse a whole list of tools for one schema without its type. */
export function offeredSchema({ inputSchema }: ToolDescription): ToolDescription['inputSchema'] {
  return inputSchema.type === undefined ? { type: 'object', ...inputSchema } : inputSchema;
}
