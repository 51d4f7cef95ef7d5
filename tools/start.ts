import { spawn } from 'node:child_process';
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { userFolders } from '@errand/host';
import { currentPlatform } from '@errand/machine/node';
import { buildPage, isPageOld } from './build-page.ts';

// A copy, so that trying Errand leaves the checkout as it is. It stays as you leave it.
const vault = join(userFolders(currentPlatform()).cache, 'example-vault');
if (!existsSync(vault)) cpSync('examples/vault', vault, { recursive: true });
if (isPageOld()) await buildPage();

const errand = join(import.meta.dirname, '../apps/cli/bin/errand.cjs');
const child = spawn(process.execPath, [errand, 'serve', '--open', '--vault', vault], {
  // By the channel it notices when this process is gone, and leaves too.
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
});
// npm ends only the shell it started us with; whoever is without it leaves too.
const shell = process.ppid;
setInterval(() => {
  if (process.ppid !== shell) child.kill('SIGTERM');
}, 500).unref();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => child.kill(signal));
}
child.on('close', (code) => {
  process.exitCode = code ?? 1;
});
