import { spawn } from 'node:child_process';
import type { Terminal } from './terminal.ts';

/** Shows an address in the person's browser, where there is a desktop; says whether it tried. */
export function openInBrowser(address: string, { env }: Pick<Terminal, 'env'>): boolean {
  const [program, ...args] = opener(env) ?? [];
  if (program === undefined) return false;
  const child = spawn(program, [...args, address], { detached: true, stdio: 'ignore' });
  // Without a browser the person still has the address in print.
  child.on('error', () => {});
  child.unref();
  return true;
}

function opener(env: Terminal['env']): readonly string[] | undefined {
  if (process.platform === 'darwin') return ['open'];
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ['xdg-open'] : undefined;
}
