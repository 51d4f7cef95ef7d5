import { spawn } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/** Folders that every process has on its PATH; a desktop program may be started with these alone. */
const systemFolders = ['/usr/bin', '/bin', '/usr/sbin', '/sbin'];

/** The PATH to start a program with, given whether a PATH has that program. */
type ProgramPath = (hasProgram: (path: string) => boolean) => Promise<string>;

/**
 * Finds programs as a person's login shell does, also when this program was started from a desktop, whose
 * PATH lacks the folders that shells add. The shell is asked when our own PATH has nothing but the
 * system's folders, and again whenever a program is not found; its folders come after ours.
 */
export function createProgramPath(
  environment: NodeJS.ProcessEnv = process.env,
  patienceMs = 5000,
): ProgramPath {
  const own = environment.PATH ?? environment.Path ?? '';
  if (process.platform === 'win32') return async () => own;
  let known = isBare(own) ? undefined : own;
  let asking: Promise<string> | undefined;
  return async (hasProgram) => {
    if (known !== undefined && hasProgram(known)) return known;
    // Servers that start at the same time share one shell.
    asking ??= askShell(environment, patienceMs)
      .then((asked) => merge(own, asked, environment.HOME))
      .finally(() => {
        asking = undefined;
      });
    known = await asking;
    return known;
  };
}

function merge(own: string, asked: string, home: string | undefined): string {
  // A bare PATH says nothing about what a person prefers; any other one comes first.
  const paths = isBare(own) ? [asked, own] : [own, asked];
  const folders = paths.flatMap((path) => path.split(delimiter));
  const all = new Set([...folders, ...systemFolders, ...usualFolders(home)]);
  return [...all].filter((folder) => folder !== '').join(delimiter);
}

function isBare(path: string): boolean {
  return path.split(delimiter).every((folder) => folder === '' || systemFolders.includes(folder));
}

/** Where package and version managers put programs, for shells that say so only in some sessions. */
function usualFolders(home: string | undefined): readonly string[] {
  const shared = [
    '/usr/local/bin',
    '/opt/homebrew/bin',
    '/home/linuxbrew/.linuxbrew/bin',
    '/snap/bin',
  ];
  if (home === undefined || !isAbsolute(home)) return shared.filter(isFolder);
  const own = [
    ...['.local/bin', 'bin', '.cargo/bin', '.bun/bin', '.deno/bin', '.volta/bin', 'go/bin'],
    ...[
      '.asdf/shims',
      '.local/share/mise/shims',
      '.pyenv/shims',
      '.rbenv/shims',
      '.nix-profile/bin',
    ],
    ...['.local/share/fnm/aliases/default/bin', '.local/share/pnpm', 'Library/pnpm'],
  ];
  const folders = [...own.map((folder) => join(home, folder)), ...newestNode(home), ...shared];
  return folders.filter(isFolder);
}

/** nvm has a folder for each version, and puts one of them on the PATH of shells only. */
function newestNode(home: string): readonly string[] {
  const folder = join(home, '.nvm/versions/node');
  try {
    const byNumber = new Intl.Collator('en', { numeric: true }).compare;
    const newest = readdirSync(folder).sort(byNumber).at(-1);
    return newest === undefined ? [] : [join(folder, newest, 'bin')];
  } catch {
    return [];
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Start-up files may print anything, so the answer stands between two marks. */
const mark = '__errand_path__';

/** The PATH of the login shell; empty when it does not say. */
async function askShell(environment: NodeJS.ProcessEnv, patienceMs: number): Promise<string> {
  const usual = process.platform === 'darwin' ? '/bin/zsh' : '/bin/sh';
  const { SHELL = usual } = environment;
  const shell = isAbsolute(SHELL) ? SHELL : usual;
  // printenv, because in some shells $PATH is a list. Its own session, so that an interactive
  // shell cannot take our terminal.
  const child = spawn(shell, ['-ilc', `echo ${mark}; printenv PATH; echo ${mark}`], {
    env: environment,
    // Tools that a shell loads at its start may read files of the folder it is in.
    cwd: '/',
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  const { promise, resolve } = Promise.withResolvers<string>();
  const giveUp = () => resolve('');
  const timer = setTimeout(giveUp, patienceMs);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    const [, answer, after] = output.split(mark);
    if (after !== undefined && answer !== undefined) resolve(answer.trim());
  });
  child.on('error', giveUp);
  child.on('close', giveUp);
  const path = await promise;
  clearTimeout(timer);
  child.stdout.destroy();
  // Whatever its start-up files left running has nothing to do any more.
  if (child.pid !== undefined) killGroup(child.pid);
  return path;
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It ended by itself.
  }
}
