import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { HostError, type NoteStore, type ServerDiscovery } from '@errand/host';
import { openRunLocks, openServerDiscovery } from '@errand/machine/node';
import { openVaultHost, type VaultHost, type VaultPorts } from '@errand/machine/vault';
import { SharedHost } from '@errand/owner';
import { VaultMail } from '@errand/workspace/mail';
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
  /** Whether the vault has hooks, and no program that runs them: this plugin does not. */
  hasIdleHooks(): boolean;
  /** The mailroom, where another program runs one. */
  readonly mail: VaultMail;
  /** Runs work while no other program on this machine runs the same request of a note. */
  readonly whileRunning: NonNullable<NoteStore['whileRunning']>;
}

/** Wires a host for a vault that is open in Obsidian, shared with other programs. No server is started before it is used. */
export async function openVault(ports: ObsidianPorts, signal: AbortSignal): Promise<OpenVault> {
  const { env } = process;
  const { version } = ports;
  let shared: SharedHost | undefined;
  const share: VaultPorts['share'] = async (sharing, ending) => {
    const own = { program: 'obsidian', version, owns: 'editor' } as const;
    shared = await SharedHost.open({ ...sharing, ...own }, ending);
    return shared;
  };
  const vault = await openVaultHost({ ...ports, env, canAskCallers: true, share }, signal);
  const tests = new ServerTests(vault);
  const mail = openMail(shared, vault.folder);
  const hooksFile = join(vault.folder, '.errand', 'hooks.json');
  return {
    ...vault,
    tests,
    discovery: openServerDiscovery(vault.folder),
    hasIdleHooks: () => shared?.role !== 'attached' && existsSync(hooksFile),
    mail,
    whileRunning: openRunLocks(vault.folder, join(vault.folders.state, 'locks')),
    async [Symbol.asyncDispose]() {
      mail[Symbol.dispose]();
      await tests[Symbol.asyncDispose]();
      await vault[Symbol.asyncDispose]();
    },
  };
}

/** Asks how much waits where a mailroom has been at work, and not elsewhere: the owner would open one. */
function openMail(shared: SharedHost | undefined, folder: string): VaultMail {
  if (shared === undefined) throw new Error('The vault is shared in every case.');
  const { serviceEvents } = shared;
  const mail = new VaultMail(
    {
      isRun: () => shared.role === 'attached',
      request: (asked) => shared.request(asked),
      serviceEvents,
    },
    notRunning,
  );
  if (existsSync(join(folder, 'Logs', 'orchestrator_state.json'))) void mail.refresh();
  return mail;
}

function notRunning(): HostError {
  return new HostError(
    'stopped',
    'No program runs the mailroom of this vault. Start errand up or errand serve, and run the command again.',
  );
}
