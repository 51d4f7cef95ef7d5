import type { ToolDescription } from '../connection.ts';
import type { Host } from '../create-host.ts';
import type { Tools } from '../registry/tool-list.ts';

/** A tool and the server it is on. */
export interface OfferedTool {
  readonly server: { readonly id: string; readonly name: string };
  readonly tool: ToolDescription;
}

/** A server that is connected, with the tools it listed last. */
export interface ConnectedServer {
  readonly id: string;
  readonly name: string;
  readonly tools: Tools;
}

/** The servers that can be called at this moment, in the order of the settings. */
export function connectedServers({ servers }: Pick<Host, 'servers'>): readonly ConnectedServer[] {
  return servers.list().flatMap(({ id, name }) => {
    const live = servers.runner(id).live;
    return live === undefined ? [] : [{ id, name, tools: live.tools.known }];
  });
}

/** What others than notes are offered: the tools of all connected servers. */
export function offeredTools(host: Pick<Host, 'servers'>): readonly OfferedTool[] {
  return connectedServers(host).flatMap(({ id, name, tools }) => {
    const server = { id, name };
    return [...tools.values()].map((tool) => ({ server, tool }));
  });
}

/** The name under which others know a tool; a server's name has no `__`. */
export function offeredName({ server, tool }: OfferedTool): string {
  return `${server.name}__${tool.name}`;
}

/** The schema others are given: many refuse a whole list of tools for one schema without its type. */
export function offeredSchema({ inputSchema }: ToolDescription): ToolDescription['inputSchema'] {
  return inputSchema.type === undefined ? { type: 'object', ...inputSchema } : inputSchema;
}
