import { buildPage, isPageOld } from './build-page.ts';
import { makePagePictures } from './page-pictures.ts';
import { makeRunPicture } from './run-picture.ts';

// Makes every picture of the documents from the programs as they are now.
makeRunPicture();
if (isPageOld()) await buildPage();
await makePagePictures('docs/pictures');
