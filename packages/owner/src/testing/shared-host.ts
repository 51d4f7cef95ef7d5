import type { CallRecord, ServerConfig, ToolHints } from '@errand/host';
import { type MemoryHost, memoryHost } from '@errand/host/testing';
import type { SharePorts } from '../share-ports.ts';
import { SharedHost } from '../shared-host.ts';
import type { TemporaryVault } from './temporary-vault.ts';

/** A program on a vault, in this process, with servers in memory. */
export interface SharedProgram extends AsyncDisposable {
  readonly shared: SharedHost;
  /** The hosts that this program made. */
  readonly hosts: readonly MemoryHost[];
  readonly notices: unknown[];
  /** What this program recorded itself. */
  readonly logged: readonly CallRecord[];
}

/** Opens a vault as one of several programs would. */
export async function openProgram(
  { vault, state }: Pick<TemporaryVault, 'vault' | 'state'>,
  servers: readonly ServerConfig[],
  change: Partial<SharePorts> = {},
  signal?: AbortSignal,
): Promise<SharedProgram> {
  const hosts: MemoryHost[] = [];
  const notices: unknown[] = [];
  const logged: CallRecord[] = [];
  const shared = await SharedHost.open(
    {
      vault,
      stateFolder: state,
      env: {},
      program: 'up',
      version: '1.0.0',
      owns: 'first',
      notifier: { notify: (notice) => notices.push(notice) },
      secrets: { get: async () => undefined },
      trust: { mayStart: () => undefined, verdict: () => 'trusted' },
      hints: noHints,
      approvalOf: () => 'ask',
      check: async () => undefined,
      realNotePath: () => undefined,
      onFault: (error) => notices.push(error),
      log: { append: (record) => void logged.push(record) },
      openHost: async (role) => {
        const made = await memoryHost(servers, {}, role);
        hosts.push(made);
        return made.host;
      },
      refresh: async () => undefined,
      ...change,
    },
    signal,
  );
  return {
    shared,
    hosts,
    notices,
    logged,
    [Symbol.asyncDispose]: () => shared[Symbol.asyncDispose](),
  };
}

const noHints: ToolHints = {
  observe: async () => {},
  hasChanged: () => false,
  changes: () => [],
  agree: async () => {},
  close: () => {},
};
