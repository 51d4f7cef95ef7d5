// A gateway as a process, for tests: `node test-program.ts '{"servers":{"a":{}},"over":"http"}'`.
// Over HTTP its address is the first line of standard output; it ends with its standard input.
import { createHost } from '../create-host.ts';
import { LocalConnector } from '../mcp/local-connector.ts';
import { defaultRetryPlan, type RetryPlan } from '../registry/server-state.ts';
import { MemoryCallLog } from '../testing/memory-call-log.ts';
import { createMemorySettingsStore } from '../testing/memory-settings-store.ts';
import { scriptedServerConfig } from '../testing/scripted-server-config.ts';
import type { ServerScript } from '../testing/server-script.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { Gateway } from './gateway.ts';
import { gatewayHostFrom } from './gateway-host-from.ts';
import { listenOnHttp } from './listen-on-http.ts';
import { serveOnStdio } from './serve-on-stdio.ts';

/** What the test program is told. */
export interface TestProgram {
  /** Scriptable servers by name. */
  readonly servers: Readonly<Record<string, ServerScript>>;
  readonly over: 'stdio' | 'http';
  /** How long things take, where it differs from the program's own times. */
  readonly plan?: Partial<RetryPlan>;
  readonly patienceMs?: number;
}

const { servers, over, plan, ...options } = JSON.parse(process.argv[2] ?? '{}') as TestProgram;
await using folder = await temporaryFolder();
const notifier = { notify: () => {} };
const info = { name: 'errand', version: '0.1.0' };
const mcpServers = Object.entries(servers).map(([name, script]) =>
  scriptedServerConfig(script, { name }),
);
await using host = await createHost({
  settings: createMemorySettingsStore(JSON.stringify({ version: 1, mcpServers })),
  connectors: {
    local: new LocalConnector({
      host: { ...info, vaultFolder: folder.path, eras: new Map(), notifier },
      childrenFolder: folder.path,
    }),
  },
  notifier,
  log: new MemoryCallLog(),
  plan: { ...defaultRetryPlan, ...plan },
});
host.servers.start();
using gateway = new Gateway(gatewayHostFrom(host, options), { info });
if (over === 'stdio') await serveOnStdio(gateway);
else {
  await using listener = await listenOnHttp(gateway);
  console.log(listener.url);
  await new Promise((resolve) => process.stdin.resume().once('end', resolve));
}
