import { resolve } from 'node:path';
import { mcpClientNames, takesAddresses, writeClientConfig } from '@errand/wire';
import { ownCommand } from '@errand/wire/node';
import { type Environment, readCommandLine } from './command-line.ts';
import type { OptionDeclarations } from './define-server.ts';
import { StartError } from './start-error.ts';

/** The configuration by which another program uses a server as it is started here, for `--print-config PROGRAM`. */
export function clientConfig(
  name: string,
  declared: OptionDeclarations,
  argv: readonly string[],
  env: Environment,
): string {
  const { printConfig, options, ports, host } = readCommandLine(name, declared, argv, env);
  const client = mcpClientNames.find((known) => known === printConfig);
  if (client === undefined) {
    const known = mcpClientNames.join(', ');
    throw new StartError('usage', `No program is called "${printConfig}". Known: ${known}.`);
  }
  // As programs show it: notes rather than errand-notes.
  const entryName = name.replace(/^errand-/, '');
  const [http] = ports.filter(({ type, port }) => type === 'http' && port !== 0);
  if (http !== undefined && takesAddresses(client)) {
    const url = `http://${host}:${http.port}/mcp`;
    return writeClientConfig(client, entryName, { kind: 'http', url });
  }
  const args = Object.entries(declared).flatMap(([option, { value }]) => {
    const isGiven = argv.some((arg) => arg === `--${option}` || arg.startsWith(`--${option}=`));
    const isPath = value !== undefined && pathValues.has(value);
    const given = options[option];
    // What else the environment holds may be secret.
    if (given === undefined || given === false || !(isGiven || isPath)) return [];
    if (given === true) return [`--${option}`];
    // Other programs start servers in folders of their own.
    return [`--${option}`, isPath ? resolve(given) : given];
  });
  const [command, ...place] = ownCommand(name, env);
  return writeClientConfig(client, entryName, {
    kind: 'stdio',
    command,
    args: [...place, ...args],
  });
}

const pathValues: ReadonlySet<string> = new Set(['DIR', 'FILE']);
