import { foreignPrograms, HostError } from '@errand/host';
import { openGatewayTokenFile } from '@errand/machine/node';
import {
  type ClientEntry,
  type McpClientName,
  mcpClientNames,
  takesAddresses,
  writeClientConfig,
} from '@errand/wire';
import { ownCommand } from '@errand/wire/node';
import { type Command, Option } from 'commander';
import type { OpenVault } from './open-vault.ts';
import type { Terminal } from './terminal.ts';

/** Options about who may use a gateway over HTTP. */
export interface AccessOptions {
  /** False for every program of this machine. */
  readonly token: boolean;
  readonly newToken?: boolean;
  readonly printConfig?: string;
}

/** Adds the options about who may use the gateway over HTTP. */
export function withAccessOptions(command: Command): Command {
  return command
    .option('--no-token', 'let every program on this machine use the gateway, of any user')
    .addOption(
      new Option(
        '--new-token',
        'replace the token of the gateway; the old one stops working',
      ).conflicts('token'),
    )
    .addOption(
      new Option(
        '--print-config <program>',
        'print the configuration for another program, token included, and exit',
      ).choices(mcpClientNames),
    );
}

/** What programs have to present to a gateway; nothing with `--no-token`. */
export async function gatewayToken(
  { token, newToken }: AccessOptions,
  { env }: Pick<Terminal, 'env'>,
  { folder, folders }: Pick<OpenVault, 'folder' | 'folders'>,
): Promise<string | undefined> {
  if (!token) return undefined;
  if (env.ERRAND_TOKEN) return env.ERRAND_TOKEN;
  const file = await openGatewayTokenFile(folders.state, folder);
  return newToken ? file.renew() : file.read();
}

/** How a client reaches the gateway: over HTTP if there is a port and the client supports it. */
export interface GatewayEndpoints {
  readonly port?: number;
  readonly token?: string | undefined;
  /** Whether the client is to find tools by search. */
  readonly search?: boolean;
  /** Arguments that start the gateway on standard input and output. */
  readonly stdioArgs: readonly string[];
}

/** Prints the part of another program's file that lists the gateway. */
export function printConfig(
  program: string,
  endpoints: GatewayEndpoints,
  { stdout, stderr, env }: Terminal,
  json = false,
): void {
  const name = program as McpClientName;
  const isHttp = endpoints.port !== undefined && takesAddresses(name);
  if (endpoints.port !== undefined && !isHttp) {
    const { title } = foreignPrograms[name];
    stderr.write(`${title} cannot be given an address, so it starts the gateway itself.\n`);
  }
  const config = writeClientConfig(
    name,
    'errand',
    isHttp ? httpEntry(endpoints) : stdioEntry(endpoints, env),
  );
  stdout.write(json ? `${JSON.stringify({ program, config })}\n` : config);
}

function stdioEntry({ stdioArgs }: GatewayEndpoints, env: Terminal['env']): ClientEntry {
  const [command, ...place] = ownCommand('errand', env);
  return { kind: 'stdio', command, args: [...place, ...stdioArgs] };
}

function httpEntry({ port, token, search }: GatewayEndpoints): ClientEntry {
  if (port === 0) {
    const message = 'A configuration needs a port that stays the same. Name one with --port.';
    throw new HostError('settings_invalid', message);
  }
  const url = `http://127.0.0.1:${port}/mcp${search ? '?search' : ''}`;
  return { kind: 'http', url, ...(token !== undefined && { token }) };
}
