import { delimiter, isAbsolute, resolve } from 'node:path';
import type { LocalConfig } from '@errand/host';
import { HostError, relativeArgument } from '@errand/host';
import { bwrapLaunch } from './bwrap-launch.ts';
import { childEnvironment } from './child-environment.ts';
import { findProgram } from './find-program.ts';
import { programFolders } from './program-folders.ts';

/** What is handed to the system to start a server: nothing in it is looked up any more. */
export interface LocalLaunch {
  /** The program's full path. */
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
}

export interface LaunchContext {
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
  if (isAbsolute(command) || /[\\/]/.test(command)) return resolve(folder, command);
  const found = findProgram(command, folders);
  if (found !== undefined) return found;
  throw new HostError(
    'server_unavailable',
    `Server "${server}" cannot start: there is no program "${command}" on the PATH. Install it, or write its full path as "command" in the settings.`,
    { server, neverSent: true },
  );
}
