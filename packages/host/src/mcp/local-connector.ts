import { resolve } from 'node:path';
import type { Connection, ConnectOptions, Connector } from '../connection.ts';
import { HostError } from '../host-error.ts';
import { defaultEndingTimes, type EndingTimes } from '../node/end-process-tree.ts';
import { loginShellPath } from '../node/login-shell-path.ts';
import { startServerProcess } from '../node/server-process.ts';
import type { ServerConfig } from '../settings.ts';
import { connectOverLines } from './connect-over-lines.ts';
import type { HostSide } from './host-side.ts';
import { abortReason } from './to-host-error.ts';

export interface LocalConnectorOptions {
  readonly host: HostSide;
  /** The folder, outside the vault, where running children are written down. */
  readonly childrenFolder: string;
  readonly endingTimes?: EndingTimes;
}

/** Starts a server as a program on this machine and speaks to it over its standard streams. */
export class LocalConnector implements Connector {
  readonly #options: LocalConnectorOptions;
  #path: Promise<string> | undefined;

  constructor(options: LocalConnectorOptions) {
    this.#options = options;
  }

  async connect(server: ServerConfig, options: ConnectOptions): Promise<Connection> {
    const { host, childrenFolder, endingTimes = defaultEndingTimes } = this.#options;
    const { name, localConfig } = server;
    if (localConfig === undefined) throw noCommand(name);
    if (options.signal.aborted) throw abortReason(options.signal, name);
    const { command, args = [], env = {}, cwd = '.' } = localConfig;
    options.onStep?.({ name: 'start', detail: [command, ...args].join(' ') });
    this.#path ??= loginShellPath();
    const process = await startServerProcess({
      server: name,
      command,
      args,
      env,
      path: await this.#path,
      cwd: resolve(host.vaultFolder, cwd),
      childrenFolder,
      endingTimes,
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
