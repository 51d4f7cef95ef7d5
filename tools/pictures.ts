import { spawnSync } from 'node:child_process';
import { buildPage, isPageOld } from './build-page.ts';
import { makeMailPictures } from './mail-pictures.ts';
import { makePagePictures } from './page-pictures.ts';
import { lookAtMachine } from './provision/look-at-machine.ts';
import { planProvisioning } from './provision/plan.ts';
import { provide } from './provision/provide.ts';
import { makeRunPicture } from './run-picture.ts';

// Makes every picture of the documents from the programs as they are now.
makeRunPicture();
if (isPageOld()) await buildPage();
await makePagePictures('docs/pictures');
await makeMailPictures('docs/pictures');
const plugin = ['apps/obsidian/src/testing/take-pictures.ts', 'docs/pictures'];
spawnSync(process.execPath, plugin, { stdio: 'inherit' });

const { env } = process;
const { provide: needed } = planProvisioning(['pictures.vscode.test.ts'], lookAtMachine(env));
await using provided = await provide(needed, {
  projectFolder: process.cwd(),
  env,
  say: console.log,
  signal: AbortSignal.timeout(20 * 60_000),
});
const extension = ['apps/vscode/src/testing/take-pictures.ts', 'docs/pictures'];
spawnSync(process.execPath, extension, { stdio: 'inherit', env: { ...env, ...provided.env } });
