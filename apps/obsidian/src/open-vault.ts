import { HostError, type ServerConfig, type Trust } from '@errand/host';
import { openVaultHost, type VaultHost, type VaultPorts } from '@errand/host/vault';

/** What Obsidian supplies. */
export type ObsidianPorts = Pick<
  VaultPorts,
  'folder' | 'version' | 'settings' | 'secrets' | 'notifier'
>;

/** The host of a vault. Disposing it ends everything that was started. */
export type OpenVault = VaultHost;

/** Wires a host for a vault that is open in Obsidian. No server is started before it is used. */
export function openVault(ports: ObsidianPorts): Promise<OpenVault> {
  const { env } = process;
  return openVaultHost({ ...ports, env, settingsName: 'data.json', mayStart: refusal });
}

function refusal(server: ServerConfig, trust: Trust): HostError | undefined {
  if (trust.verdict(server) === 'trusted') return undefined;
  const message = `Nobody on this computer has agreed to server "${server.name}" yet. Press Run on one of its blocks, look at what it would start, and agree.`;
  return new HostError('untrusted', message, { server: server.name, neverSent: true });
}
