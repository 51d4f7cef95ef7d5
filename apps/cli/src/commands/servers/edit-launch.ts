import type { ServerConfig } from '@errand/host';
import { type LaunchOptions, readLaunch } from './launch-options.ts';

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
  const launch = readLaunch(before.name, command.length > 0 ? command : stored.command, {
    ...stored.options,
    ...given,
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
