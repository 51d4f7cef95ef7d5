import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import type { Connector, ServerConfig } from '@errand/host';
import { programOf } from '@errand/launcher';

/** Servers that come with Errand, by the command that settings name them with. */
const packages: Readonly<Record<string, string>> = {
  'errand-vault': '@errand/vault',
};

/** Starts Errand's own servers from where they were installed with it, whatever the PATH says. */
export function withOwnPrograms(connector: Connector): Connector {
  return { connect: (server, options) => connector.connect(resolveProgram(server), options) };
}

function resolveProgram(server: ServerConfig): ServerConfig {
  const { localConfig } = server;
  const name = localConfig && packages[localConfig.command];
  if (localConfig === undefined || name === undefined) return server;
  const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
  const { entry } = programOf(dirname(manifest));
  const args = [entry, ...(localConfig.args ?? [])];
  return { ...server, localConfig: { ...localConfig, command: process.execPath, args } };
}
