import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { userFolders } from '@errand/host';
import { currentPlatform } from '@errand/machine/node';
import { buildPage, isPageOld } from './build-page.ts';
import { serveVault } from './serve-vault.ts';

// A copy, so that trying Errand leaves the checkout as it is. It stays as you leave it.
const vault = join(userFolders(currentPlatform()).cache, 'example-vault');
if (!existsSync(vault)) cpSync('examples/vault', vault, { recursive: true });
if (isPageOld()) await buildPage();
process.exitCode = await serveVault(vault);
