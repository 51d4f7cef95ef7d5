import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  type Connection,
  type ConnectOptions,
  type Connector,
  HostError,
  type ServerConfig,
} from '@errand/host';
import { defaultShutdownTimes, type ShutdownTimes } from '../node/end-process-tree.ts';
import { hasProgram, planLocalLaunch } from '../node/plan-local-launch.ts';
import { createProgramPath } from '../node/program-path.ts';
import { startServerProcess } from '../node/server-process.ts';
import { connectOverLines } from './connect-over-lines.ts';
import type { McpClientContext } from './mcp-client-context.ts';
import { abortReason } from './to-host-error.ts';

export interface LocalConnectorOptions {
  readonly host: McpClientContext;
  /** The folder, outside the vault, where running children are written down. */
  readonly childrenFolder: string;
  /** The folder, outside the vault, that servers run in whose entry names none. */
  readonly neutralFolder: string;
  readonly shutdownTimes?: ShutdownTimes;
}

/** Starts a server as a program on this machine and speaks to it over its standard streams. */
export class LocalConnector implements Connector {
  readonly #options: LocalConnectorOptions;
  readonly #programPath = createProgramPath();

  constructor(options: LocalConnectorOptions) {
    this.#options = options;
  }

  async connect(server: ServerConfig, options: ConnectOptions): Promise<Connection> {
    const {
      host,
      childrenFolder,
      neutralFolder,
      shutdownTimes = defaultShutdownTimes,
    } = this.#options;
    const { name, localConfig } = server;
    if (localConfig === undefined) throw noCommand(name);
    if (options.signal.aborted) throw abortReason(options.signal, name);
    const { vaultFolder } = host;
    const { command, args = [], cwd, sandbox } = localConfig;
    const folder = cwd === undefined ? neutralFolder : resolve(vaultFolder, cwd);
    const how = sandbox === undefined ? '' : `, sandboxed by ${sandbox.kind}`;
    const tellStart = (program: string, given: readonly string[]) =>
      options.onStep?.({
        name: 'start',
        detail: `${[program, ...given].join(' ')} in ${folder}${how}`,
      });
    tellStart(command, args);
    const path = await this.#programPath((candidate) =>
      hasProgram(localConfig, { vaultFolder, path: candidate }),
    );
    if (options.signal.aborted) throw abortReason(options.signal, name);
    const launch = planLocalLaunch(name, localConfig, { vaultFolder, folder, path });
    if (sandbox === undefined) tellStart(launch.command, launch.args);
    if (cwd === undefined) makeNeutralFolder(neutralFolder);
    const { beforeStart } = options;
    const process = await startServerProcess({
      ...launch,
      server: name,
      childrenFolder,
      shutdownTimes,
      ...(beforeStart && { beforeStart }),
    });
    return connectOverLines(process, server, host, options);
  }
}

function noCommand(server: string): HostError {
  return new HostError(
    'settings_invalid',
    `Server "${server}" has no command. Add "localConfig": { "command": "…" } to its entry in the settings.`,
    { server, path: 'localConfig.command' },
  );
}

/**
 * Makes the folder that servers run in when their entry names none: nothing in it can decide what they
 * load, and nobody else can put something there.
 */
function makeNeutralFolder(path: string): string {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const found = lstatSync(path);
  const isOurs = process.getuid === undefined || found.uid === process.getuid();
  if (!found.isDirectory() || !isOurs) {
    throw new HostError(
      'server_unavailable',
      `${path}, the folder that servers run in, is not a folder of yours. Remove it; it is made again.`,
      { neverSent: true },
    );
  }
  if (process.platform !== 'win32' && (found.mode & 0o077) !== 0) chmodSync(path, 0o700);
  return path;
}
