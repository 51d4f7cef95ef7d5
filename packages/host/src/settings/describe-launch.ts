import type { LaunchFile } from '../launch-files.ts';
import type {
  DockerConfig,
  LocalConfig,
  RemoteConfig,
  SandboxConfig,
  ServerConfig,
} from '../settings.ts';
import { oneLine } from '../text/one-line.ts';
import { describeLimits, isCovered } from './describe-limits.ts';
import { namedReferences } from './named-references.ts';
import { quoteWord } from './quote-word.ts';
import { relativeArgument } from './relative-argument.ts';
import { findClearSecrets } from './secret-names.ts';

/**
 * What an entry would do on this machine, line by line and in full, for the person who has to agree. Values that
 * look like secrets are hidden. Characters that could hide or disguise something on a screen are spelled out.
 */
export function describeLaunch(
  server: ServerConfig,
  files: readonly LaunchFile[] = [],
): readonly string[] {
  const { deploymentType, localConfig, dockerConfig } = server;
  const remote = remoteOf(server);
  const lines = [
    ...(deploymentType === 'local' && localConfig ? describeLocal(localConfig) : []),
    ...(deploymentType === 'managed' && dockerConfig ? describeDocker(dockerConfig) : []),
    ...(deploymentType === 'external' && remote ? describeRemote(remote) : []),
    ...files.flatMap(describeFile),
    ...describeReferences(server),
    ...(server.approval === 'allow' ? ['lets a model use its tools without asking'] : []),
    ...describeTools(server),
    ...describeLimits(server, files),
  ];
  return lines.map((line) => oneLine(line));
}

function describeTools({ tools: { allow, deny = [] } = {} }: ServerConfig): readonly string[] {
  return [
    ...(allow === undefined ? [] : [`offers only its tools ${allow.join(', ') || '(none)'}`]),
    ...(deny.length === 0 ? [] : [`leaves out its tools ${deny.join(', ')}`]),
  ];
}

/** The command, image or address in one sentence; values that look like secrets are hidden, as others may read it. */
export function summariseLaunch(server: ServerConfig): string {
  const { deploymentType, localConfig, dockerConfig } = server;
  if (deploymentType === 'local') {
    const { command = '', args = [] } = localConfig ?? {};
    return summary(`run ${commandLine([command, ...args])}`);
  }
  if (deploymentType === 'managed') {
    const { image = '', command = [] } = dockerConfig ?? {};
    const inside = command.length === 0 ? '' : ` with the command ${commandLine(command)}`;
    return summary(`start the image ${quoteWord(image)}${inside}`);
  }
  const url = remoteOf(server)?.url ?? '';
  // Some addresses have a key in their path.
  return summary(`connect to ${URL.canParse(url) ? new URL(url).origin : 'an address'}`);
}

const summary = (text: string) => oneLine(text, 1_000);

function commandLine(words: readonly string[]): string {
  return words
    .map((word, index) => {
      const [, name = '', value] = /^-*([^=]+)(?:=(.*))?$/s.exec(word) ?? [];
      if (value !== undefined && isClearSecret(name, value))
        return `${word.slice(0, -value.length)}${hidden}`;
      const before = words[index - 1] ?? '';
      const isValue = before.startsWith('-') && !before.includes('=') && !word.startsWith('-');
      return isValue && isClearSecret(before, word) ? hidden : quoteWord(word);
    })
    .join(' ');
}

const hidden = '[hidden]';

function isClearSecret(name: string, value: string): boolean {
  return findClearSecrets({ [name]: value }).length > 0;
}

/** The user's variables and secrets that it would receive, by name. */
function describeReferences(server: ServerConfig): string[] {
  const { deploymentType, localConfig, dockerConfig } = server;
  const external = remoteOf(server);
  const launch = { local: localConfig, managed: dockerConfig, external, face: undefined };
  const { secrets, variables } = namedReferences(launch[deploymentType]);
  return [
    ...secrets.map((name) => `is given your secret "${name}"`),
    ...variables.map((name) => `is given the variable ${name} of your environment`),
  ];
}

function remoteOf({ transport, httpConfig, sseConfig }: ServerConfig): RemoteConfig | undefined {
  return transport === 'sse' ? sseConfig : httpConfig;
}

function describeLocal({ command, args = [], env = {}, cwd, sandbox }: LocalConfig): string[] {
  return [
    `runs ${commandLine([command, ...args])}`,
    cwd === undefined ? describeNeutral(args) : `in the folder ${quoteWord(cwd)}${ofVault(cwd)}`,
    describeSandbox(sandbox),
    ...describeVariables(env),
  ];
}

function describeSandbox(sandbox: SandboxConfig | undefined): string {
  if (sandbox === undefined) return 'not sandboxed: runs with your rights';
  const { kind, network = false, mounts = [] } = sandbox;
  const reaches = mounts.map(({ source, writable = false }) => {
    const what = isVault(source) ? 'vault' : quoteWord(source);
    return `${what} ${writable ? 'writable' : 'read-only'}`;
  });
  return [
    `sandboxed by ${kind}: ${network ? 'with network' : 'no network'}`,
    ...(reaches.length === 0 ? ['none of your files'] : reaches),
  ].join(', ');
}

function describeNeutral(args: readonly string[]): string {
  const where = 'in an empty folder outside the vault';
  const isRelative = args.some((arg) => relativeArgument(arg) !== undefined);
  return isRelative ? `${where}; "." in its arguments means the vault` : where;
}

function ofVault(cwd: string): string {
  return isVault(cwd) ? ', the vault itself' : '';
}

function isVault(path: string): boolean {
  return /^\.[\\/]?$/.test(path);
}

function describeFile(file: LaunchFile): readonly string[] {
  const { path, identity } = file;
  if (!isCovered(file)) return [];
  const what = `with ${quoteWord(path)} of this vault`;
  return identity.startsWith('link to ')
    ? [`${what}, a ${identity}`]
    : [`${what} as it is now (SHA-256 ${identity.slice(0, 16)})`];
}

function describeDocker(config: DockerConfig): string[] {
  const { command = [], ports = {}, mounts = [], headers = {}, env = {} } = config;
  return [
    `starts a container from the image ${quoteWord(config.image)}`,
    ...(command.length === 0 ? [] : [`with the command ${commandLine(command)}`]),
    ...Object.entries(ports).map(
      ([inside, outside]) => `publishes its port ${inside} on 127.0.0.1:${outside || 'any'}`,
    ),
    ...mounts.map(
      ({ source, target, writable }) =>
        `lets it ${writable === true ? 'read and write' : 'read'} ${quoteWord(source)} as ${quoteWord(target)}`,
    ),
    ...(config.network === undefined ? [] : [describeNetwork(config.network)]),
    ...(config.sandboxed === true
      ? ['sandboxed by docker: read-only system, no privileges, not as root']
      : []),
    ...describeVariables(env),
    ...describeHeaders(headers),
  ];
}

function describeNetwork(network: string): string {
  return network === 'none' ? 'without network' : `in the network ${quoteWord(network)}`;
}

function describeRemote({ url, headers = {} }: RemoteConfig): string[] {
  return [`connects to ${quoteWord(withoutSecrets(url))}`, ...describeHeaders(headers)];
}

/** An address whose query shows no value that looks like a secret. */
function withoutSecrets(url: string): string {
  return url.replace(/([?&]([^=&#]+)=)([^&#]*)/g, (pair, start: string, name: string, value) =>
    isClearSecret(name === 'key' ? 'api-key' : name, value) ? `${start}${hidden}` : pair,
  );
}

function describeVariables(env: Readonly<Record<string, string>>): string[] {
  return Object.entries(env).map(
    ([name, value]) =>
      `with the variable ${name}=${isClearSecret(name, value) ? hidden : quoteWord(value)}`,
  );
}

function describeHeaders(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).map(
    ([name, value]) => `sends the header ${name}: ${isClearSecret(name, value) ? hidden : value}`,
  );
}
