import { join } from 'node:path';
import type { NoteStore, ServerDiscovery } from '@errand/host';
import { openRunLocks, openServerDiscovery } from '@errand/machine/node';
import { openVaultHost, type VaultHost, type VaultPorts } from '@errand/machine/vault';
import { SharedHost } from '@errand/owner';
import { servicesWhileOwning } from '@errand/services';
import { ServerTests } from '@errand/workspace/servers';

/** What the editor supplies. */
export type EditorPorts = Pick<
  VaultPorts,
  'folder' | 'version' | 'settings' | 'secrets' | 'notifier' | 'elicitor'
>;

/** The host of a vault, in this process or in the program that owns the vault. Disposing it ends everything that was started. */
export interface OpenVault extends VaultHost {
  /** What this program is to the others on the vault. */
  readonly sharing: SharedHost;
  readonly tests: ServerTests;
  /** Servers of other programs on this machine. */
  readonly discovery: ServerDiscovery;
  /** Runs work while no other program on this machine runs the same request of a note. */
  readonly whileRunning: NonNullable<NoteStore['whileRunning']>;
}

/** Joins the programs on a vault as an editor. No server is started before it is used. */
export async function openVault(ports: EditorPorts, signal: AbortSignal): Promise<OpenVault> {
  const joined = Promise.withResolvers<SharedHost>();
  const vault = await openVaultHost(
    {
      ...ports,
      env: process.env,
      canAskCallers: true,
      async share(sharing, ending) {
        const face = { program: 'vscode', version: ports.version, owns: 'editor' } as const;
        const openServices = await servicesWhileOwning(sharing, { trustAll: false });
        const shared = await SharedHost.open({ ...sharing, ...face, openServices }, ending);
        joined.resolve(shared);
        return shared;
      },
    },
    signal,
  );
  const tests = new ServerTests(vault);
  return {
    ...vault,
    sharing: await joined.promise,
    tests,
    discovery: openServerDiscovery(vault.folder),
    whileRunning: openRunLocks(vault.folder, join(vault.folders.state, 'locks')),
    async [Symbol.asyncDispose]() {
      await tests[Symbol.asyncDispose]();
      await vault[Symbol.asyncDispose]();
    },
  };
}
