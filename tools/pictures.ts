import { spawnSync } from 'node:child_process';
import { buildPage, isPageOld } from './build-page.ts';
import { makePagePictures } from './page-pictures.ts';
import { makeRunPicture } from './run-picture.ts';

// Makes every picture of the documents from the programs as they are now.
makeRunPicture();
if (isPageOld()) await buildPage();
await makePagePictures('docs/pictures');
const plugin = ['apps/obsidian/src/testing/take-pictures.ts', 'docs/pictures'];
process.exitCode = spawnSync(process.execPath, plugin, { stdio: 'inherit' }).status ?? 1;
