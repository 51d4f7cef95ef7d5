import type { ServerDiscovery } from '@errand/host';
import { openServerDiscovery } from '@errand/machine/node';
import { openVaultHost, type VaultHost, type VaultPorts } from '@errand/machine/vault';
import { SharedHost } from '@errand/owner';
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

/** Wires a host for a vault that is open in Obsidian, shared with other programs. No server is started before it is used. */
export async function openVault(ports: ObsidianPorts, signal: AbortSignal): Promise<OpenVault> {
  const { env } = process;
  const { version } = ports;
  const share: VaultPorts['share'] = (sharing, ending) =>
    SharedHost.open({ ...sharing, program: 'obsidian', version, owns: 'editor' }, ending);
  const vault = await openVaultHost({ ...ports, env, canAskCallers: true, share }, signal);
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
