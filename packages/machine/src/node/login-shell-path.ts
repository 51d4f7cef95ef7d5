import { spawn } from 'node:child_process';
import { delimiter, isAbsolute } from 'node:path';
import { onAbort } from '@errand/wire';

/** Folders that every process has on its PATH; a desktop program is started with these alone. */
const systemFolders = new Set(['/usr/bin', '/bin', '/usr/sbin', '/sbin']);

const patienceMs = 5000;

/**
 * The PATH to start programs with: ours, or that of the person's login shell when this program was
 * started from a desktop and has none of the folders where people install things.
 */
export async function loginShellPath(
  environment: NodeJS.ProcessEnv = process.env,
  signal?: AbortSignal,
): Promise<string> {
  const own = environment.PATH ?? environment.Path ?? '';
  if (process.platform === 'win32') return own;
  const folders = own.split(delimiter).filter((folder) => folder !== '');
  if (folders.some((folder) => !systemFolders.has(folder))) return own;
  const usual = process.platform === 'darwin' ? '/bin/zsh' : '/bin/sh';
  const { SHELL = usual } = environment;
  const shell = isAbsolute(SHELL) ? SHELL : usual;
  const asked = await askShell(shell, environment, signal);
  if (asked !== undefined) return asked;
  return own === '' ? ['/usr/local/bin', ...systemFolders].join(delimiter) : own;
}

/** Start-up files may print anything, so the answer stands between two marks. */
const mark = '__errand_path__';

async function askShell(
  shell: string,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
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
  using _listening = onAbort(signal, giveUp);
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
  return path === '' ? undefined : path;
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It ended by itself.
  }
}
