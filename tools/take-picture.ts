import { statSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { lookAtMachine } from './provision/look-at-machine.ts';
import { browsers } from './provision/plan.ts';

/** More than this is too much to load for a look. */
const mostBytes = 150_000;

export const pictureSize = { width: 1280, height: 800 };

/** Starts the browser that pictures are taken with. */
export function launchBrowser(): Promise<Browser> {
  const { programs, given } = lookAtMachine(process.env);
  const found = given.chromium ?? browsers.map((name) => programs[name]).find(Boolean);
  if (found === undefined) {
    throw new Error('The pictures need Chromium. Install it, or name it in ERRAND_TEST_CHROMIUM.');
  }
  const args = ['--no-sandbox', '--disable-gpu', '--hide-scrollbars'];
  return chromium.launch({ executablePath: found, args });
}

/** Takes a picture of a place of the workbench once some words are there. */
export async function takePicture(page: Page, wait: string, path: string): Promise<void> {
  await page.getByRole('main').getByText(wait).first().waitFor();
  await page.screenshot({ path, animations: 'disabled', caret: 'hide' });
  const { size: bytes } = statSync(path);
  if (bytes > mostBytes) throw new Error(`${path} has ${bytes} bytes; ${mostBytes} are allowed.`);
  console.log(`${path}: ${Math.round(bytes / 1_000)} KB`);
}
