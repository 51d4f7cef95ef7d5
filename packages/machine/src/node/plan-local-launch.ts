import { homedir } from 'node:os';
import { delimiter, isAbsolute, resolve } from 'node:path';
import { HostError, isSecretName, type LocalConfig, relativeArgument } from '@errand/host';
import { bwrapLaunch } from './bwrap-launch.ts';
import { findProgram } from './find-program.ts';
import { isInFolder } from './is-in-folder.ts';
import { realPath } from './real-path.ts';

/** What is handed to the system to start a server: nothing in it is looked up any more. */
export interface LocalLaunch {
  /** The program's full path. */
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
}

interface LaunchContext {
  readonly vaultFolder: string;
  /** Where the server runs: the folder that its entry names, or an empty one. */
  readonly folder: string;
  /** The PATH that programs are looked up on. */
  readonly path: string;
}

/** Decides with which program, arguments, folder and environment a local server is started. */
export function planLocalLaunch(
  server: string,
  { command, args = [], env = {}, cwd, sandbox }: LocalConfig,
  { vaultFolder, folder, path }: LaunchContext,
): LocalLaunch {
  const environment = childEnvironment(path, env);
  const folders = programFolders(environment.PATH ?? '', vaultFolder);
  const launch: LocalLaunch = {
    command: locate(server, command, cwd === undefined ? vaultFolder : folder, folders),
    // In an empty folder a relative path would mean nothing.
    args: cwd === undefined ? args.map((arg) => inVault(arg, vaultFolder)) : args,
    cwd: folder,
    env: { ...environment, PATH: folders.join(delimiter) },
  };
  if (sandbox === undefined) return launch;
  const searched = programFolders(path, vaultFolder);
  return bwrapLaunch(server, launch, sandbox, {
    vaultFolder,
    searched,
    isNeutral: cwd === undefined,
  });
}

/** Whether the command of a server is found on this PATH, or is not looked up on it at all. */
export function hasProgram(
  { command, env = {} }: LocalConfig,
  { vaultFolder, path }: Pick<LaunchContext, 'vaultFolder' | 'path'>,
): boolean {
  if (isPath(command) || Object.keys(env).some((name) => /^path$/i.test(name))) return true;
  return findProgram(command, programFolders(path, vaultFolder)) !== undefined;
}

/** The file that the command of a server stands for with this PATH; undefined where there is none. */
export function findServerProgram(
  { command, env = {}, cwd = '.' }: LocalConfig,
  { vaultFolder, path }: Pick<LaunchContext, 'vaultFolder' | 'path'>,
): string | undefined {
  if (isPath(command)) return findProgram(resolve(vaultFolder, cwd, command), ['']);
  const { PATH = '' } = childEnvironment(path, env);
  return findProgram(command, programFolders(PATH, vaultFolder));
}

/** Whether a command is a path, which is not looked up on the PATH. */
export function isPath(command: string): boolean {
  return isAbsolute(command) || /[\\/]/.test(command);
}

function inVault(argument: string, vaultFolder: string): string {
  const relative = relativeArgument(argument);
  return relative === undefined ? argument : relative.option + resolve(vaultFolder, relative.path);
}

function locate(
  server: string,
  command: string,
  folder: string,
  folders: readonly string[],
): string {
  if (isPath(command)) return resolve(folder, command);
  const found = findProgram(command, folders);
  if (found !== undefined) return found;
  throw new HostError(
    'server_unavailable',
    `Server "${server}" cannot start: there is no program "${command}" on the PATH. Install it, or write its full path as "command" in the settings.`,
    { server, neverSent: true },
  );
}

/** How programs reach the network and whom they trust there, on every system. */
const network: readonly string[] = [
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY', 'NODE_USE_ENV_PROXY'],
  ...['http_proxy', 'https_proxy', 'all_proxy', 'no_proxy'],
  ...['NODE_EXTRA_CA_CERTS', 'NODE_USE_SYSTEM_CA', 'SSL_CERT_FILE', 'SSL_CERT_DIR'],
  ...['REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE', 'GIT_SSL_CAINFO', 'DENO_CERT'],
];

/** Variables a child may see without being given them: where things are, never a secret. */
const inherited: readonly string[] =
  process.platform === 'win32'
    ? [
        'APPDATA',
        'COMSPEC',
        'HOMEDRIVE',
        'HOMEPATH',
        'LOCALAPPDATA',
        'NUMBER_OF_PROCESSORS',
        'PATHEXT',
        'PROCESSOR_ARCHITECTURE',
        'PROGRAMDATA',
        'PROGRAMFILES',
        'PROGRAMFILES(X86)',
        'PROGRAMW6432',
        'SYSTEMDRIVE',
        'SYSTEMROOT',
        'TEMP',
        'TMP',
        'USERDOMAIN',
        'USERNAME',
        'USERPROFILE',
        'WINDIR',
      ]
    : [
        'HOME',
        'LANG',
        'LANGUAGE',
        'LOGNAME',
        'SHELL',
        'TEMP',
        'TERM',
        'TMP',
        'TMPDIR',
        'TZ',
        'USER',
        'XDG_CACHE_HOME',
        'XDG_CONFIG_HOME',
        'XDG_DATA_HOME',
        'XDG_RUNTIME_DIR',
        'XDG_STATE_HOME',
      ];

/**
 * The environment of a child: what it is given, over PATH and the harmless part of ours. On Windows it
 * does not look for programs in the folder it runs in.
 */
export function childEnvironment(
  path: string,
  given: Readonly<Record<string, string>>,
): Record<string, string> {
  const environment = inheritedVariables(process.env);
  if (process.platform !== 'win32') return { ...environment, PATH: path, ...given };
  // There the names of variables have no case.
  const { PATH = path, ...others } = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [/^path$/i.test(name) ? 'PATH' : name, value]),
  );
  return { ...environment, NoDefaultCurrentDirectoryInExePath: '1', ...others, PATH };
}

/** Those of our variables that every child gets: locale, temporary folder, proxies, certificates, npm's settings. */
export function inheritedVariables(env: NodeJS.ProcessEnv): Record<string, string> {
  // Under npm or npx these come from the folder it ran in, which may be a stranger's vault.
  const isUnderNpm = env.npm_execpath !== undefined || env.npm_command !== undefined;
  const isNpmSetting = (name: string) =>
    !isUnderNpm && /^npm_config_\w+$/i.test(name) && !isSecretName(name);
  const names = Object.keys(env).filter((name) => /^LC_[A-Z]+$/.test(name) || isNpmSetting(name));
  const found: Record<string, string> = {};
  for (const name of [...inherited, ...network, ...names]) {
    const value = env[name];
    if (value !== undefined) found[name] = value;
  }
  return found;
}

/**
 * The folders of a PATH that may be searched for programs: absolute, and outside the vault. An empty or
 * relative one means whatever folder a program happens to run in.
 */
export function programFolders(path: string, vaultFolder: string): readonly string[] {
  const vault = realPath(vaultFolder) ?? vaultFolder;
  // A vault around the home folder is no stranger's, and holds what the person installed.
  const isHome = isInFolder(vault, realPath(homedir()) ?? homedir());
  return path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .filter((folder) => isHome || !isInFolder(vault, realPath(folder) ?? folder));
}
