import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { basename, join } from 'node:path';
import { type BenchClient, connectHttp } from './gateway-client.ts';

/** How a server behind the gateways is started. */
export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/** A gateway to be measured: how it is started and spoken to. */
export interface Target {
  readonly name: string;
  /** Whether several servers can stand behind it. */
  readonly takesMany: boolean;
  /** The arguments for `node`. */
  start(
    servers: Readonly<Record<string, ServerCommand>>,
    port: number,
    scratch: string,
  ): readonly string[];
  connect(port: number): Promise<BenchClient>;
  toolName(server: string, tool: string): string;
}

/** What clients present to our gateway; the others take no token. */
export const gatewayToken = 'the-token-of-this-bench';

const root = join(import.meta.dirname, '..', '..');

/** Our gateway as it is shipped: the built command line through its launcher, with its log on. */
export function ours(): Target {
  execFileSync('npm', ['run', 'build'], { cwd: root, stdio: 'ignore' });
  const program = join(installed(), 'bin', 'errand.cjs');
  return {
    name: 'ours',
    takesMany: true,
    start: (servers, port, scratch) => {
      const vault = join(scratch, 'vault');
      mkdirSync(join(vault, '.errand'), { recursive: true });
      const mcpServers = Object.entries(servers).map(([name, localConfig], index) => ({
        id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
        name,
        transport: 'stdio',
        deploymentType: 'local',
        localConfig,
        enabled: true,
        failureCount: 0,
        autoDisabled: false,
        sectionBindings: [],
      }));
      const settings = JSON.stringify({ version: 1, mcpServers });
      writeFileSync(join(vault, '.errand', 'settings.json'), settings);
      return [program, 'gateway', '--port', String(port), '--vault', vault, '--trust'];
    },
    connect: (port) => connectHttp(`http://127.0.0.1:${port}/mcp`, gatewayToken),
    toolName: (server, tool) => `${server}__${tool}`,
  };
}

/** The folder of the package as npm would install it; beside its sources the launcher would start those. */
function installed(): string {
  const folder = join(root, '.cache', 'bench', 'errand');
  rmSync(folder, { recursive: true, force: true });
  for (const part of ['bin', 'dist', 'package.json']) {
    cpSync(join(root, 'apps', 'cli', part), join(folder, part), { recursive: true });
  }
  return folder;
}

/** The least that any gateway must do. */
export function floor(): Target {
  const program = compiled('gateway-floor.ts');
  return {
    name: 'floor',
    takesMany: true,
    start: (servers, port, scratch) => {
      const file = join(scratch, 'floor.json');
      writeFileSync(file, JSON.stringify(servers));
      return [program, String(port), file];
    },
    connect: (port) => connectHttp(`http://127.0.0.1:${port}/mcp`),
    toolName: (server, tool) => `${server}__${tool}`,
  };
}

/** The server that stands behind every gateway. */
export function fixture(...args: readonly string[]): ServerCommand {
  return { command: process.execPath, args: [compiled('gateway-fixture.ts'), ...args] };
}

/** So many servers, by name. */
export function fixtures(count: number): Readonly<Record<string, ServerCommand>> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`s${index}`, fixture()]));
}

/** A program of ours without its types, so that its start costs what a user's would. */
function compiled(name: string): string {
  const folder = join(root, '.cache', 'bench');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, basename(name, '.ts').concat('.mjs'));
  writeFileSync(path, stripTypeScriptTypes(readFileSync(join(import.meta.dirname, name), 'utf8')));
  return path;
}
