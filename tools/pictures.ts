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

const { env } = process;
const { provide: needed } = planProvisioning(['pictures.vscode.test.ts'], lookAtMachine(env));
await using provided = await provide(needed, {
  projectFolder: process.cwd(),
  env,
  say: console.log,
  signal: AbortSignal.timeout(20 * 60_000),
});
for (const editor of ['obsidian', 'vscode']) {
  const script = `apps/${editor}/src/testing/take-pictures.ts`;
  const options = { stdio: 'inherit', env: { ...env, ...provided.env } } as const;
  const { status } = spawnSync(process.execPath, [script, 'docs/pictures'], options);
  if (status !== 0) throw new Error(`${script} ended with ${status}.`);
}
