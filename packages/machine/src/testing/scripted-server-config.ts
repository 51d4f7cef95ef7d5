import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { ServerConfig } from '@errand/host';
import type { ServerScript } from './server-script.ts';

/** The settings entry of a scriptable server that runs as a local program. */
export function scriptedServerConfig(
  script: ServerScript = {},
  entry: Partial<ServerConfig> = {},
): ServerConfig {
  const program = fileURLToPath(new URL('./scripted-server.cjs', import.meta.url));
  return {
    id: randomUUID(),
    name: 'scripted',
    transport: 'stdio',
    deploymentType: 'local',
    localConfig: { command: process.execPath, args: [program, JSON.stringify(script)] },
    enabled: true,
    failureCount: 0,
    autoDisabled: false,
    sectionBindings: [],
    ...entry,
  };
}
