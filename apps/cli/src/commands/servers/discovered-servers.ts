import {
  createServerDiscovery,
  type DiscoveredServer,
  type DiscoveredServers,
  type ForeignOrigin,
  foreignConfigFiles,
  foreignPrograms,
  withSecretValues,
} from '@errand/host';
import { currentPlatform, foreignFileReader } from '@errand/machine/node';
import type { OpenVault } from '../../open-vault.ts';
import { table } from '../../table.ts';
import { connectionKind } from './connection-kind.ts';

/** The servers of the other programs that the settings name in `discovery`; nothing when they name none. */
export async function discoverServers({
  host,
  folder,
  secrets,
}: OpenVault): Promise<DiscoveredServers | undefined> {
  const wanted = new Set(host.servers.settings.discovery);
  if (wanted.size === 0) return undefined;
  const platform = currentPlatform();
  const discovery = createServerDiscovery({
    files: foreignConfigFiles(platform, folder).filter(({ program }) => wanted.has(program)),
    reader: foreignFileReader,
    target: { os: platform.os, vaultFolder: folder },
    now: Date.now,
  });
  return await discovery.list(await withSecretValues(host.servers.list(), secrets));
}

/** A server of another program as JSON. */
export function describeDiscovered({ server, origins, notes }: DiscoveredServer) {
  const { name, transport, deploymentType, enabled } = server;
  return { name, transport, deploymentType, enabled, origins, notes };
}

/** The servers of other programs as a person reads them. */
export function discoveredAsText(servers: readonly DiscoveredServer[]): string {
  if (servers.length === 0) return '';
  const rows = servers.map(({ server, origins }) => [
    server.name,
    connectionKind(server),
    `from ${origins.map(describeOrigin).join(', ')}`,
  ]);
  return `\nOf other programs; use them here with: errand servers import PROGRAM, or FILE\n${table(rows)}`;
}

function describeOrigin({ program, file, isFromVault }: ForeignOrigin): string {
  const place = `${titleOf(program)} (${file})`;
  return isFromVault ? `${place}, which came with this vault` : place;
}

function titleOf(program: DiscoveredServer['origins'][number]['program']): string {
  return program === 'errand' ? 'another vault' : foreignPrograms[program].title;
}
