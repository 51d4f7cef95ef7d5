import { HostError, offeredPrefix } from '@errand/host';
import type { ScopeOf, ToolFilter } from '../scope.ts';
import type { GatewayClient } from './gateway-client.ts';

/** Offers a client what it and the note in its address may use, whichever is less. */
export function clientScope(
  find: (name: string) => GatewayClient | undefined,
  ofNote: ScopeOf,
): ScopeOf {
  return async (query) => {
    const name = query.get('client');
    if (name === null) return ofNote(query);
    const client = find(name);
    if (client === undefined) {
      return new HostError(
        'section_forbids',
        `The client "${name}" was removed from this gateway.`,
      );
    }
    const filters: ToolFilter[] = [ownFilter(client)];
    const notes = [client.note, query.get('note') ?? undefined].filter(
      (note) => note !== undefined,
    );
    for (const note of new Set(notes)) {
      const line = query.get('line');
      const asked = new URLSearchParams({
        note,
        ...(line !== null && note !== client.note && { line }),
      });
      const filter = await ofNote(asked);
      if (filter instanceof HostError) return filter;
      filters.push(filter);
    }
    return (server, tool) => filters.every((filter) => filter(server, tool));
  };
}

function ownFilter({ servers, tools }: GatewayClient): ToolFilter {
  return (server, tool) => {
    if (servers !== undefined && !servers.includes(server)) return false;
    if (tools === undefined) return true;
    const prefix = offeredPrefix(server);
    return tools.includes(`${prefix}${tool}`) || tools.includes(`${prefix}*`);
  };
}
