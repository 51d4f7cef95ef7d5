import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** The folder for what must not get lost and belongs to no vault: the same one that `errand` uses. */
export function stateFolder(env: Environment, platform = process.platform): string {
  const home = env.HOME || homedir();
  if (platform === 'win32') {
    return join(env.LOCALAPPDATA || join(home, 'AppData', 'Local'), 'errand', 'state');
  }
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'errand', 'state');
  const given = env.XDG_STATE_HOME;
  const state = given !== undefined && isAbsolute(given) ? given : join(home, '.local', 'state');
  return join(state, 'errand');
}
