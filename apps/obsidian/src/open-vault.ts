import {
  createServerDiscovery,
  foreignConfigFiles,
  HostError,
  type ServerConfig,
  type ServerDiscovery,
  type Trust,
} from '@errand/host';
import { currentPlatform, foreignFileReader } from '@errand/machine/node';
import { openVaultHost, type VaultHost, type VaultPorts } from '@errand/machine/vault';
import { ServerTests } from '@errand/workspace/servers';

/** What Obsidian supplies. */
export type ObsidianPorts = Pick<
  VaultPorts,
  'folder' | 'version' | 'settings' | 'secrets' | 'notifier'
>;

/** The host of a vault. Disposing it ends everything that was started. */
export interface OpenVault extends VaultHost {
  readonly tests: ServerTests;
  /** Servers of other programs on this machine. */
  readonly discovery: ServerDiscovery;
}

/** Wires a host for a vault that is open in Obsidian. No server is started before it is used. */
export async function openVault(ports: ObsidianPorts): Promise<OpenVault> {
  const { env } = process;
  const vault = await openVaultHost({
    ...ports,
    env,
    settingsName: 'data.json',
    mayStart: refusal,
    adviseSecret,
  });
  const { folder } = vault;
  const platform = currentPlatform();
  const tests = new ServerTests(vault);
  const discovery = createServerDiscovery({
    files: foreignConfigFiles(platform, folder),
    reader: foreignFileReader,
    target: { os: platform.os, vaultFolder: folder },
    now: Date.now,
  });
  return {
    ...vault,
    tests,
    discovery,
    async [Symbol.asyncDispose]() {
      await tests[Symbol.asyncDispose]();
      await vault[Symbol.asyncDispose]();
    },
  };
}

function refusal(server: ServerConfig, trust: Trust): HostError | undefined {
  if (trust.verdict(server) === 'trusted') return undefined;
  const message = `Nobody on this computer has agreed to server "${server.name}" yet. Press Run on one of its blocks, or Agree in the settings of Errand, and look at what it would start.`;
  return new HostError('untrusted', message, { server: server.name, neverSent: true });
}

function adviseSecret(name: string): string {
  return `Set the secret "${name}" in the settings of Errand, under Secrets.`;
}
