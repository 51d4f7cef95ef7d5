import type { SandboxConfig } from '@errand/host';
import { LocalConnector } from '../mcp/local-connector.ts';
import { defaultShutdownTimes } from '../node/end-process-tree.ts';
import { scriptedServerConfig } from './scripted-server-config.ts';
import type { ServerScript } from './server-script.ts';

// A host as a program, for tests that kill it: connects to a scriptable server, says so, and waits.
const [folder = '', script = '{}', sandbox] = process.argv.slice(2);
const connector = new LocalConnector({
  host: {
    name: 'host-program',
    version: '1.0.0',
    vaultFolder: folder,
    eras: new Map(),
    notifier: { notify: () => undefined },
  },
  childrenFolder: `${folder}/children`,
  neutralFolder: `${folder}/empty`,
  shutdownTimes: defaultShutdownTimes,
});
const server = scriptedServerConfig(JSON.parse(script) as ServerScript);
const { localConfig } = server;
const isSandboxed = localConfig !== undefined && sandbox !== undefined;
await connector.connect(
  isSandboxed
    ? { ...server, localConfig: { ...localConfig, sandbox: JSON.parse(sandbox) as SandboxConfig } }
    : server,
  { signal: AbortSignal.timeout(15_000) },
);
process.stdout.write('connected\n');
