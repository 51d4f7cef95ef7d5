import type { DockerConfig, NewServer, ServerConfig } from '@errand/host';
import { HostError } from '@errand/host';
import { type Command, InvalidArgumentError, Option } from 'commander';
import {
  readSandbox,
  type SandboxOptions,
  sandboxedContainer,
  withSandboxOptions,
} from './sandbox-options.ts';

/** The options that say how a server is reached. */
export interface LaunchOptions extends SandboxOptions {
  readonly image?: string;
  readonly url?: string;
  readonly transport?: ServerConfig['transport'];
  readonly port?: Readonly<Record<string, number>>;
  readonly path?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly header?: Readonly<Record<string, string>>;
  readonly memory?: string;
  readonly cwd?: string;
}

/** Their names. */
export const launchOptions: readonly (keyof LaunchOptions)[] = [
  'image',
  'url',
  'transport',
  'port',
  'path',
  'env',
  'header',
  'memory',
  'cwd',
  'sandbox',
  'network',
  'mount',
];

/** Adds the options that say how a server is reached. */
export function withLaunchOptions(command: Command): Command {
  const described = command
    .argument(
      '[command...]',
      'after --: the program of a local server, or the command of a container',
    )
    .option('--image <image>', 'a container that Errand starts and removes')
    .option('--url <url>', 'the URL of a server that runs elsewhere')
    .addOption(
      new Option('--transport <transport>', 'the transport it uses').choices([
        'stdio',
        'http',
        'sse',
      ]),
    )
    .option('--port <in[:out]>', "a container's port, and the one on this machine", addPort)
    .option('--path <path>', "the path of a container's endpoint (default: /mcp, or /sse)")
    .option('--env <name=value>', 'a variable; may be given again', addPair)
    .option('--header <name=value>', 'an HTTP header; may be given again', addPair)
    .option('--memory <limit>', 'how much memory a container may use, such as 256m')
    .option('--cwd <dir>', 'where a command runs, seen from the vault (default: an empty folder)');
  return withSandboxOptions(described);
}

/** The entry's parts that the options describe; throws when they contradict each other. */
export function readLaunch(
  name: string,
  command: readonly string[],
  options: LaunchOptions,
): Omit<NewServer, 'id'> {
  const { image, url, transport, env, header } = options;
  if (image !== undefined && url !== undefined) throw wrong('Give --image or --url, not both.');
  if (url !== undefined) {
    const unfit = ['env', 'port', 'path', 'memory', 'cwd', ...sandboxOptions] as const;
    refuse(options, unfit, 'a server with a URL');
    if (command.length > 0)
      throw wrong('A server with a URL runs elsewhere: leave out the command.');
    if (!url.includes('${') && !/^https?:\/\//i.test(url))
      throw wrong('--url must begin with http:// or https://.');
    if (transport === 'stdio') throw wrong('A server with a URL uses http or sse.');
    const config = { url, ...(header && { headers: header }) };
    return (transport ?? transportOf(url)) === 'sse'
      ? { name, transport: 'sse', deploymentType: 'external', sseConfig: config }
      : { name, transport: 'http', deploymentType: 'external', httpConfig: config };
  }
  if (options.sandbox === 'docker') {
    refuse(options, ['cwd', 'port', 'path', 'header'], 'a command in a sandbox of Docker');
    if (transport !== undefined && transport !== 'stdio') throw wrong('A command uses stdio.');
    return sandboxedContainer(name, command, options);
  }
  if (image !== undefined) {
    refuse(options, ['cwd', ...sandboxOptions], 'a container without --sandbox docker');
    const dockerConfig = container(name, image, command, options);
    return { name, transport: transport ?? 'stdio', deploymentType: 'managed', dockerConfig };
  }
  const [program, ...args] = command;
  if (program === undefined) {
    throw wrong('Give a command or an address: -- COMMAND ARGS, or --image IMAGE, or --url URL.');
  }
  refuse(options, ['header', 'port', 'path', 'memory'], 'a local command');
  if (transport !== undefined && transport !== 'stdio') throw wrong('A command uses stdio.');
  const { cwd } = options;
  const sandbox = readSandbox(options);
  if (sandbox === undefined) refuse(options, ['network', 'mount'], 'a command without --sandbox');
  const given = { ...(env && { env }), ...(cwd && { cwd }), ...(sandbox && { sandbox }) };
  const localConfig = { command: program, args, ...given };
  return { name, transport: 'stdio', deploymentType: 'local', localConfig };
}

/** The transport that an address is known for; undefined for one that says nothing of it. */
export function transportOf(url: string): 'http' | 'sse' | undefined {
  const path = url.split(/[?#]/, 1)[0]?.replace(/\/+$/, '') ?? '';
  if (/\/sse$/i.test(path)) return 'sse';
  return /\/mcp$/i.test(path) ? 'http' : undefined;
}

const sandboxOptions = ['sandbox', 'network', 'mount'] as const;

/** An option that would do nothing is a mistake that its author should hear of. */
function refuse(
  options: LaunchOptions,
  unfit: readonly (keyof LaunchOptions)[],
  what: string,
): void {
  const given = unfit.filter((name) => options[name] !== undefined).map((name) => `--${name}`);
  if (given.length === 0) return;
  throw wrong(`${given.join(' and ')} ${given.length === 1 ? 'does' : 'do'} not fit ${what}.`);
}

function container(
  name: string,
  image: string,
  command: readonly string[],
  { port, path, env, header, memory }: LaunchOptions,
): DockerConfig {
  return {
    image,
    containerName: `errand-${name}`,
    ...(command.length > 0 && { command }),
    ...(port && { ports: port }),
    ...(path !== undefined && { path }),
    ...(env && { env }),
    ...(header && { headers: header }),
    ...(memory !== undefined && { memory }),
  };
}

function addPair(
  pair: string,
  before: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const equals = pair.indexOf('=');
  if (equals < 1) throw new InvalidArgumentError('Write it as name=value.');
  return { ...before, [pair.slice(0, equals)]: pair.slice(equals + 1) };
}

function addPort(
  ports: string,
  before: Readonly<Record<string, number>> = {},
): Readonly<Record<string, number>> {
  const [, inside = '', outside = '0'] = /^(\d+)(?::(\d+))?$/.exec(ports) ?? [];
  if (inside === '') throw new InvalidArgumentError('Write it as 8080, or 8080:18080.');
  return { ...before, [inside]: Number(outside) };
}

function wrong(message: string): HostError {
  return new HostError('settings_invalid', message);
}
