import { openServerDiscovery } from '@errand/machine/node';
import {
  describeOrigin,
  findImportable,
  type ImportableServer,
  type ImportableServers,
} from '@errand/workspace/servers';
import type { OpenVault } from '../../open-vault.ts';
import { table } from '../../table.ts';
import { connectionKind } from './connection-kind.ts';

/** The servers of the other programs that the settings name in `discovery`; nothing when they name none. */
export async function discoverServers(vault: OpenVault): Promise<ImportableServers | undefined> {
  const wanted = new Set<string>(vault.host.servers.settings.discovery);
  if (wanted.size === 0) return undefined;
  const discovery = openServerDiscovery(vault.folder, (program) => wanted.has(program));
  return findImportable(discovery, vault);
}

/** A server of another program as JSON. */
export function describeDiscovered({ entry, isEnabledThere, origins, notes }: ImportableServer) {
  const { name, transport, deploymentType } = entry;
  return { name, transport, deploymentType, enabled: isEnabledThere, origins, notes };
}

/** The servers of other programs as a person reads them. */
export function discoveredAsText(servers: readonly ImportableServer[]): string {
  if (servers.length === 0) return '';
  const rows = servers.map(({ entry, origins }) => [
    entry.name,
    connectionKind(entry),
    `from ${origins.map(describeOrigin).join(', ')}`,
  ]);
  return `\nOf other programs; use them here with: errand servers import PROGRAM, or FILE\n${table(rows)}`;
}
