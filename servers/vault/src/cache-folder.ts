import { hash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Makes the folder for what can always be made again (the index, the lock) of one vault: outside the
 * vault, for its owner only. Undefined when the system offers no place for it.
 */
export function cacheFolder(root: string, env: Environment = process.env): string | undefined {
  const folder = join(cacheRoot(env), 'errand', 'vault', hash('sha256', root).slice(0, 16));
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return folder;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    return undefined;
  }
}

function cacheRoot(env: Environment): string {
  if (env.XDG_CACHE_HOME) return env.XDG_CACHE_HOME;
  if (process.platform === 'win32' && env.LOCALAPPDATA) return join(env.LOCALAPPDATA, 'Cache');
  const home = env.HOME || homedir();
  return process.platform === 'darwin' ? join(home, 'Library', 'Caches') : join(home, '.cache');
}
