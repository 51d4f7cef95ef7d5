import type { JsonObject } from '@errand/wire';
import { metaKey } from './protocol.ts';

/** How many gateways may stand one behind the other. More is one that reaches itself. */
export const maxHops = 4;

const reservedPrefix = 'io.modelcontextprotocol/';
const firstHop: JsonObject = Object.freeze({ [metaKey.hops]: 1 });

/** How many gateways a call or a tool has passed before it came here. */
export function hopsOf(meta: JsonObject | undefined): number {
  const hops = meta?.[metaKey.hops];
  return typeof hops === 'number' && hops > 0 ? hops : 0;
}

/** A call's `_meta` for the server: the client's own entries, and one hop more. */
export function metaForServer(meta: JsonObject | undefined): JsonObject {
  if (meta === undefined) return firstHop;
  const passedOn: Record<string, unknown> = { [metaKey.hops]: hopsOf(meta) + 1 };
  for (const key of Object.keys(meta)) {
    // Version, capabilities and progress are negotiated separately on each of the two wires.
    if (key === metaKey.hops || key === 'progressToken' || key.startsWith(reservedPrefix)) continue;
    passedOn[key] = meta[key];
  }
  return passedOn;
}
