import { isAbsolute, resolve } from 'node:path';
import type { SandboxConfig, SandboxMount } from '@errand/host';
import { type Advice, HostError } from '@errand/host';
import { findProgram } from './find-program.ts';
import { isInFolder } from './is-in-folder.ts';
import type { LocalLaunch } from './plan-local-launch.ts';
import { realPath } from './real-path.ts';

interface SandboxContext {
  readonly vaultFolder: string;
  /** Where bwrap itself is looked for: not where an entry's own PATH leads. */
  readonly searched: readonly string[];
  /** Whether the server runs in an empty folder, which the sandbox then makes. */
  readonly isNeutral: boolean;
}

/**
 * The same launch inside a bubblewrap sandbox that has the system read-only, empty private folders in place
 * of the user's own, and the mounts. Throws when it cannot be had: nothing runs without its sandbox.
 */
export function bwrapLaunch(
  server: string,
  { command, args, cwd, env }: LocalLaunch,
  { network = false, mounts = [] }: SandboxConfig,
  { vaultFolder, searched, isNeutral }: SandboxContext,
): LocalLaunch {
  const isLinux = process.platform === 'linux';
  const bwrap = isLinux ? findProgram('bwrap', searched) : undefined;
  if (bwrap === undefined) throw isLinux ? missing(server) : onlyLinux(server);
  const shown = mounts.map((mount) => resolveMount(server, mount, vaultFolder)).sort(byDepth);
  const isShown = (path: string) =>
    [...systemFolders, ...shown.map(({ target }) => target)].some((one) => isInFolder(one, path));
  if (!isNeutral && !isShown(cwd)) throw hiddenFolder(server, cwd);
  const empty = ['/run', '/tmp', '/var/tmp', env.HOME, env.TMPDIR, isNeutral ? cwd : undefined];
  return {
    command: bwrap,
    args: [
      '--unshare-all',
      ...(network ? ['--share-net'] : []),
      '--die-with-parent',
      '--new-session',
      // Root would keep its capabilities otherwise.
      ...['--cap-drop', 'ALL'],
      ...systemFolders.flatMap((folder) => ['--ro-bind-try', folder, folder]),
      ...['--proc', '/proc', '--dev', '/dev'],
      ...privateFolders(empty).flatMap((folder) => ['--tmpfs', folder]),
      ...(network ? resolverFile() : []),
      ...programFiles(command, isShown),
      ...shown.flatMap(({ source, target, writable }) => [
        writable ? '--bind' : '--ro-bind',
        source,
        target,
      ]),
      ...['--chdir', cwd, '--', command, ...args],
    ],
    cwd,
    env,
  };
}

/** Programs, their libraries and the settings of the system; what is not here is not seen. */
const systemFolders = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/etc',
  '/opt',
  '/nix/store',
  '/gnu/store',
];

interface ResolvedMount {
  readonly source: string;
  readonly target: string;
  readonly writable: boolean;
}

function resolveMount(
  server: string,
  { source, writable = false }: SandboxMount,
  vaultFolder: string,
): ResolvedMount {
  const target = resolve(vaultFolder, source);
  const real = realPath(target);
  if (real === undefined) {
    throw refusal(server, `there is no ${target} to show it. Make it, or correct`);
  }
  if (real === '/') {
    throw refusal(
      server,
      'a sandbox that shows the whole machine protects nothing. Name folders in',
    );
  }
  // A link in the vault may have come with it, after somebody had agreed to the name.
  const isLeaving =
    isInFolder(vaultFolder, target) && !isInFolder(realPath(vaultFolder) ?? vaultFolder, real);
  if (isLeaving) {
    throw refusal(server, `${target} leads out of the vault. Write where it leads to, ${real}, in`);
  }
  return { source: real, target, writable };
}

/** Folders before what lies in them: the later mount covers the earlier. */
function byDepth(one: ResolvedMount, other: ResolvedMount): number {
  return one.target.split('/').length - other.target.split('/').length;
}

function privateFolders(paths: readonly (string | undefined)[]): readonly string[] {
  const folders = paths.filter((path) => path !== undefined && isAbsolute(path) && path !== '/');
  return [...new Set(folders as readonly string[])].sort();
}

/** Many systems keep the addresses of their name servers behind a link to /run. */
function resolverFile(): readonly string[] {
  const real = realPath('/etc/resolv.conf');
  return real === undefined || isInFolder('/etc', real) ? [] : ['--ro-bind-try', real, real];
}

/** The program itself, where nothing else shows it; what it loads has to be mounted. */
function programFiles(command: string, isShown: (path: string) => boolean): readonly string[] {
  const real = realPath(command);
  if (real === undefined) return [];
  const hidden = [...new Set([command, real])].filter((path) => !isShown(path));
  return hidden.flatMap((path) => ['--ro-bind', real, path]);
}

function missing(server: string): HostError {
  return settingsError(
    `Server "${server}" runs in a sandbox, and bwrap, which makes it, is not installed. Install it (Debian and Ubuntu: apt install bubblewrap; Fedora: dnf install bubblewrap; Arch: pacman -S bubblewrap).`,
    server,
    'localConfig.sandbox',
  );
}

function onlyLinux(server: string): HostError {
  return settingsError(
    `Server "${server}" runs in a bwrap sandbox, which exists on Linux only.`,
    server,
    'localConfig.sandbox',
    [{ kind: 'use-container', server }],
  );
}

function hiddenFolder(server: string, folder: string): HostError {
  return refusal(server, `it runs in ${folder}, which its sandbox hides. Add that folder to`);
}

function refusal(server: string, reason: string): HostError {
  const message = `Server "${server}" cannot start: ${reason} "mounts" of its "sandbox" in the settings.`;
  return settingsError(message, server, 'localConfig.sandbox.mounts');
}

function settingsError(
  message: string,
  server: string,
  path: string,
  advice: readonly Advice[] = [],
): HostError {
  return new HostError('settings_invalid', message, { server, path, neverSent: true }, { advice });
}
