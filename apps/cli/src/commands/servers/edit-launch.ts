import { HostError, type ServerConfig } from '@errand/host';
import { type LaunchOptions, readLaunch, transportOf } from './launch-options.ts';

/** An entry with another way to reach it: what is given replaces what is stored, the rest stays. */
export function editLaunch(
  before: ServerConfig,
  command: readonly string[],
  given: LaunchOptions,
): ServerConfig {
  const { localConfig, dockerConfig, httpConfig, sseConfig, ...rest } = before;
  const stored = storedLaunch(given.sandbox === 'none' ? withoutSandbox(before) : before);
  if (given.sandbox === 'docker') {
    // Built from scratch: nothing from before may widen it.
    const kept = { ...stored.options, ...given, ...merged('env', stored.options, given) };
    const run = command.length > 0 ? command : stored.command;
    return { ...rest, ...readLaunch(before.name, run, kept) };
  }
  if (kindOf(before, command, given) !== before.deploymentType) {
    return { ...rest, ...readLaunch(before.name, command, given) };
  }
  const transport = given.transport ?? (given.url && transportOf(given.url));
  const launch = readLaunch(before.name, command.length > 0 ? command : stored.command, {
    ...stored.options,
    ...given,
    ...(transport && { transport }),
    ...merged('env', stored.options, given),
    ...merged('header', stored.options, given),
    ...merged('port', stored.options, given),
  });
  // What no option speaks of: a folder, mounts, a network, the container's name.
  const remote = httpConfig ?? sseConfig;
  // The options above speak of the whole sandbox.
  const local = withoutSandbox(before).localConfig;
  return {
    ...rest,
    ...launch,
    ...(launch.localConfig && { localConfig: { ...local, ...launch.localConfig } }),
    ...(launch.dockerConfig && {
      dockerConfig: {
        ...launch.dockerConfig,
        ...dockerConfig,
        ...withoutName(launch.dockerConfig),
      },
    }),
    ...(launch.httpConfig && { httpConfig: { ...remote, ...launch.httpConfig } }),
    ...(launch.sseConfig && { sseConfig: { ...remote, ...launch.sseConfig } }),
  };
}

function kindOf(
  before: ServerConfig,
  command: readonly string[],
  { image, url }: LaunchOptions,
): ServerConfig['deploymentType'] {
  if (image !== undefined) return 'managed';
  if (url !== undefined) return 'external';
  // A container may have a command too; a URL may not.
  return command.length > 0 && before.deploymentType === 'external'
    ? 'local'
    : before.deploymentType;
}

/** An entry as the options that would make it. */
function storedLaunch({
  transport,
  localConfig,
  dockerConfig,
  httpConfig,
  sseConfig,
}: ServerConfig): {
  readonly command: readonly string[];
  readonly options: LaunchOptions;
} {
  if (localConfig !== undefined) {
    const { command, args = [], env, sandbox } = localConfig;
    const reach = sandbox && {
      sandbox: sandbox.kind,
      ...(sandbox.network && { network: true }),
      mount: sandbox.mounts ?? [],
    };
    const options: LaunchOptions = { transport, ...(env && { env }), ...reach };
    return { command: [command, ...args], options };
  }
  if (dockerConfig !== undefined) {
    const { image, command = [], ports, env, headers } = dockerConfig;
    const maps = { ...(ports && { port: ports }), ...(env && { env }) };
    return {
      command,
      options: { transport, image, ...maps, ...(headers && { header: headers }) },
    };
  }
  const { url = '', headers } = httpConfig ?? sseConfig ?? {};
  return { command: [], options: { transport, url, ...(headers && { header: headers }) } };
}

function merged(
  key: 'env' | 'header' | 'port',
  stored: LaunchOptions,
  given: LaunchOptions,
): Partial<LaunchOptions> {
  const all: Readonly<Record<string, unknown>> = { ...stored[key], ...given[key] };
  return Object.keys(all).length === 0 ? {} : { [key]: all };
}

function withoutSandbox(server: ServerConfig): ServerConfig {
  if (server.localConfig === undefined) return server;
  const { sandbox: _, ...localConfig } = server.localConfig;
  return { ...server, localConfig };
}

function withoutName<Config extends { readonly containerName: string }>(config: Config) {
  const { containerName, ...rest } = config;
  return rest;
}

/** What an edit takes away from an entry. */
export interface RemovedParts {
  readonly unsetEnv?: readonly string[];
  readonly unsetHeader?: readonly string[];
  readonly unsetCwd?: boolean;
}

/** Their names. */
export const removedParts: readonly (keyof RemovedParts)[] = [
  'unsetEnv',
  'unsetHeader',
  'unsetCwd',
];

/** An entry without these variables, headers and folder; throws `settings_invalid` for what is not there. */
export function removeParts(
  server: ServerConfig,
  { unsetEnv = [], unsetHeader = [], unsetCwd = false }: RemovedParts,
): ServerConfig {
  const { localConfig, dockerConfig, httpConfig, sseConfig } = server;
  const { env, headers }: PartsOfConfig =
    localConfig ?? dockerConfig ?? httpConfig ?? sseConfig ?? {};
  checkNames('variable', unsetEnv, env, (name) => name);
  checkNames('header', unsetHeader, headers, (name) => name.toLowerCase());
  if (unsetCwd && localConfig?.cwd === undefined) {
    throw new HostError('settings_invalid', `"${server.name}" names no folder to run in.`);
  }
  const without = <Config extends PartsOfConfig>({ env, headers, cwd, ...rest }: Config) => ({
    ...rest,
    ...(env && { env: withoutNames(env, unsetEnv, (name) => name) }),
    ...(headers && {
      headers: withoutNames(headers, unsetHeader, (name) => name.toLowerCase()),
    }),
    ...(cwd !== undefined && !unsetCwd && { cwd }),
  });
  return {
    ...server,
    ...(localConfig && { localConfig: without(localConfig) }),
    ...(dockerConfig && { dockerConfig: without(dockerConfig) }),
    ...(httpConfig && { httpConfig: without(httpConfig) }),
    ...(sseConfig && { sseConfig: without(sseConfig) }),
  };

  function checkNames(
    what: string,
    names: readonly string[],
    values: Texts | undefined,
    key: (name: string) => string,
  ): void {
    const known = Object.keys(values ?? {});
    const missing = names.find((name) => !known.some((each) => key(each) === key(name)));
    if (missing === undefined) return;
    const others = known.length === 0 ? 'It has none.' : `It has: ${known.join(', ')}.`;
    throw new HostError(
      'settings_invalid',
      `"${server.name}" has no ${what} "${missing}". ${others}`,
    );
  }
}

type Texts = Readonly<Record<string, string>>;

interface PartsOfConfig {
  readonly env?: Texts;
  readonly headers?: Texts;
  readonly cwd?: string;
}

function withoutNames(
  values: Texts,
  names: readonly string[],
  key: (name: string) => string,
): Texts {
  const removed = new Set(names.map(key));
  return Object.fromEntries(Object.entries(values).filter(([name]) => !removed.has(key(name))));
}
