// A gateway as a process, for tests: `node test-program.ts '{"servers":{"a":{}},"over":"http"}'`.
// Over HTTP its address is the first line of standard output; it ends with its standard input.
import { createHost, defaultRetryPlan, type RetryPlan } from '@errand/host';
import { createMemorySettingsStore, MemoryCallLog } from '@errand/host/testing';
import { LocalConnector } from '@errand/machine/mcp';
import type { ServerScript } from '@errand/machine/testing';
import { scriptedServerConfig, temporaryFolder } from '@errand/machine/testing';
import { Gateway } from '../gateway.ts';
import { gatewayHostFrom } from '../gateway-host-from.ts';
import { type ListenOptions, listenOnHttp } from '../listen-on-http.ts';
import { type StdioEnd, serveOnStdio } from '../serve-on-stdio.ts';

/** The options of the test program. */
export interface TestProgram {
  /** Scriptable servers by name. */
  readonly servers: Readonly<Record<string, ServerScript>>;
  readonly over: 'stdio' | 'http';
  /** How long things take, where it differs from the program's own times. */
  readonly plan?: Partial<RetryPlan>;
  readonly patienceMs?: number;
  readonly listen?: ListenOptions;
  readonly unsentLimit?: number;
}

const { servers, over, plan, listen, unsentLimit, ...options } = JSON.parse(
  process.argv[2] ?? '{}',
) as TestProgram;
if ((await run()) === 'unread') process.exit(1);

async function run(): Promise<StdioEnd> {
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
        host: { ...info, vaultFolder: folder.path, eras: new Map(), notifier, canAskCallers: true },
        childrenFolder: folder.path,
        neutralFolder: folder.path,
      }),
    },
    notifier,
    log: new MemoryCallLog(),
    plan: { ...defaultRetryPlan, ...plan },
  });
  host.servers.start();
  using gateway = new Gateway(gatewayHostFrom(host, options), {
    info,
    notifier: { notify: ({ message, detail }) => console.error(message, detail) },
  });
  const limit = unsentLimit === undefined ? {} : { unsentLimit };
  if (over === 'stdio') return await serveOnStdio(gateway, limit);
  await using listener = await listenOnHttp(gateway, listen);
  console.log(listener.url);
  await new Promise((resolve) => process.stdin.resume().once('end', resolve));
  return 'finished';
}
