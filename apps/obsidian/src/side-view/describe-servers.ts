import type { ServerSnapshot } from '@errand/host';
import { type StateDescription, serverFacts, stateLine } from '@errand/workspace/servers';

/** Servers as a command line prints them: one line each, and below it why it is as it is. */
export function describeServers(
  servers: readonly ServerSnapshot[],
  stateOf: (id: string) => StateDescription,
  now: number,
): string {
  if (servers.length === 0) return 'No servers yet. Add one in the settings of Errand.';
  return servers.map((server) => describe(server, stateOf(server.config.id), now)).join('\n');
}

function describe(snapshot: ServerSnapshot, state: StateDescription, now: number): string {
  const facts = [stateLine(state, snapshot, now), ...serverFacts(snapshot)];
  const line = `${snapshot.config.name}: ${facts.join(', ')}`;
  return state.reason === null ? line : `${line}\n  ${state.reason.split('\n').join('\n  ')}`;
}
