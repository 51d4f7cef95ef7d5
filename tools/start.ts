import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { userFolders } from '@errand/host';
import { currentPlatform } from '@errand/host/node';

// A copy, so that trying Errand leaves the checkout as it is. It stays as you leave it.
const vault = join(userFolders(currentPlatform()).cache, 'example-vault');
if (!existsSync(vault)) cpSync('examples/vault', vault, { recursive: true });

const note = join(vault, 'Welcome.md');
console.log(`$ errand run ${note}\n`);
const errand = join(import.meta.dirname, '../apps/cli/bin/errand.cjs');
const { status } = spawnSync(process.execPath, [errand, 'run', note], { stdio: 'inherit' });
if (status === 0) console.log(`\n${note} now reads:\n\n${readFileSync(note, 'utf8')}`);
process.exitCode = status ?? 1;
