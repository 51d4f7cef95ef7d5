import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import type { ServerConfig } from '@errand/host';

/** Servers that come with Errand, by the command that settings name them with. */
const packages: Readonly<Record<string, string>> = {
  'errand-gmail': '@errand/gmail',
  'errand-vault': '@errand/vault',
};

/**
 * Whether an entry starts nothing but a server of ours on this very vault. Such an entry needs no
 * agreement when it comes with a vault: it can do no more than Errand itself does there.
 */
export function isOwnServer({ deploymentType, localConfig, approval }: ServerConfig): boolean {
  if (deploymentType !== 'local' || localConfig === undefined || approval === 'allow') return false;
  const { command, args = [], env = {}, cwd = '.' } = localConfig;
  return (
    command === 'errand-vault' &&
    args.length === 2 &&
    args[0] === '--vault' &&
    args[1] === '.' &&
    cwd === '.' &&
    Object.keys(env).length === 0
  );
}

/** The entry that starts a server of Errand's own from where it was installed, whatever the PATH says. */
export function resolveProgram(server: ServerConfig): ServerConfig {
  const { localConfig } = server;
  const command = localConfig?.command ?? '';
  const name = Object.hasOwn(packages, command) ? packages[command] : undefined;
  if (localConfig === undefined || name === undefined) return server;
  const folder = folderOf(name);
  // Only the server for notes is installed with Errand; the others may be on the PATH.
  if (folder === undefined) return server;
  const { sandbox, args = [] } = localConfig;
  const started = { ...localConfig, command: process.execPath };
  if (sandbox?.kind !== 'bwrap') {
    const script = join(folder, 'bin', `${localConfig.command}.cjs`);
    return { ...server, localConfig: { ...started, args: [script, ...args] } };
  }
  // The sandbox shows the program alone, not the packages that its start script loads.
  const built = join(folder, 'dist', 'main.js');
  const isBuilt = existsSync(built);
  const entry = isBuilt ? built : join(folder, 'src', 'main.ts');
  // In a checkout that was not built, it loads the packages beside it.
  const mounts = [
    ...(sandbox.mounts ?? []),
    { source: isBuilt ? folder : resolve(folder, '../..') },
  ];
  const localConfigInside = { ...started, args: [entry, ...args], sandbox: { ...sandbox, mounts } };
  return { ...server, localConfig: localConfigInside };
}

function folderOf(name: string): string | undefined {
  try {
    return dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
  } catch {
    return undefined;
  }
}
