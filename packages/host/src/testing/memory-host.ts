import { createHost, type Host, type HostPorts } from '../create-host.ts';
import type { Notice } from '../notifier.ts';
import type { ServerConfig, Settings } from '../settings.ts';
import type { ToolInvocationRequest } from '../tool-invocation.ts';
import { ManualClock, settled } from './manual-clock.ts';
import { MemoryCallLog } from './memory-call-log.ts';
import { MemoryConnector } from './memory-connector.ts';
import { createMemorySettingsStore, type MemorySettingsStore } from './memory-settings-store.ts';

/** A host on ports in memory, and the ports. */
export interface MemoryHost extends AsyncDisposable {
  readonly host: Host;
  readonly settings: MemorySettingsStore;
  /** Another program changes the settings; what it leaves out stays as it was. */
  change(change: Partial<Settings>): Promise<void>;
  readonly connector: MemoryConnector;
  readonly clock: ManualClock;
  readonly log: MemoryCallLog;
  readonly notices: Notice[];
}

export async function memoryHost(
  servers: readonly ServerConfig[],
  settings: Partial<Settings> = {},
  ports: Partial<HostPorts> = {},
): Promise<MemoryHost> {
  const given = { version: 1, ...settings, mcpServers: servers };
  const store = createMemorySettingsStore(JSON.stringify(given));
  const { problems } = await store.load();
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  const connector = new MemoryConnector();
  const clock = new ManualClock();
  const log = new MemoryCallLog();
  const notices: Notice[] = [];
  const host = await createHost({
    settings: store,
    connectors: { local: connector, managed: connector, external: connector },
    notifier: { notify: (notice) => notices.push(notice) },
    log,
    clock,
    random: () => 0.5,
    ...ports,
  });
  return {
    host,
    settings: store,
    connector,
    clock,
    log,
    notices,
    change: async (change) => {
      store.write(JSON.stringify({ ...JSON.parse(store.text()), ...change }));
      await settled();
    },
    [Symbol.asyncDispose]: () => host[Symbol.asyncDispose](),
  };
}

let requests = 0;

/** A request of a person at the command line, to be varied. */
export function request(change: Partial<ToolInvocationRequest> = {}): ToolInvocationRequest {
  requests += 1;
  return {
    id: `call-${requests}`,
    serverId: 'a',
    toolName: 'echo',
    parameters: { text: 'hello' },
    source: 'command',
    sessionId: 'session',
    ...change,
  };
}
