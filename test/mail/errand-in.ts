import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { MailPlace } from './mail-place.ts';

const main = join(import.meta.dirname, '../../apps/cli/src/main.ts');

/** Starts `errand` in the vault as a person does. */
export function startErrand(
  place: MailPlace,
  args: readonly string[],
  { cwd = place.folder }: { readonly cwd?: string } = {},
) {
  const env = {
    ...process.env,
    HOME: place.home,
    XDG_STATE_HOME: join(place.home, 'state'),
    XDG_CACHE_HOME: join(place.home, 'cache'),
    XDG_CONFIG_HOME: join(place.home, 'config'),
    ERRAND_TRUST: '1',
  };
  return spawn(process.execPath, [main, ...args], { cwd, env });
}

/** Runs `errand` until it ends. */
export async function runErrand(...given: Parameters<typeof startErrand>) {
  const child = startErrand(...given);
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    output.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output.stderr += chunk;
  });
  const [code] = await once(child, 'close');
  return { code, ...output };
}
