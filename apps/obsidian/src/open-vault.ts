import type { ServerDiscovery } from '@errand/host';
import { openServerDiscovery } from '@errand/machine/node';
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
  const vault = await openVaultHost({ ...ports, env });
  const tests = new ServerTests(vault);
  return {
    ...vault,
    tests,
    discovery: openServerDiscovery(vault.folder),
    async [Symbol.asyncDispose]() {
      await tests[Symbol.asyncDispose]();
      await vault[Symbol.asyncDispose]();
    },
  };
}
