import { join } from 'node:path';
import { openContext } from '@errand/machine/testing/browser';
import type { Page } from 'playwright-core';
import {
  openTestWorkbench,
  type TestVault,
  type TestWorkbench,
} from '../../api/testing/test-workbench.ts';
import { builtPage } from './built-page.ts';

/** A person's browser on a workbench of their own. */
export interface OpenPage extends AsyncDisposable {
  readonly page: Page;
  readonly workbench: TestWorkbench;
  /** What the page complained about: uncaught errors and whatever the content policy refused. */
  readonly complaints: readonly string[];
  /** Another tab of the same browser, at the same address. */
  anotherTab(): Promise<Page>;
  /** An empty tab of a browser that knows nothing of this one. */
  anotherBrowser(): Promise<Page>;
  /** Keeps a picture in dist/screenshots, to be looked at. */
  photograph(name: string): Promise<void>;
}

export interface OpenPageOptions {
  readonly width?: number;
  readonly height?: number;
  readonly colorScheme?: 'light' | 'dark';
  /** Behind the `#` of the address. */
  readonly route?: string;
}

/** Opens the built page in a real Chromium, by the link that a person follows. */
export async function openPage(
  vault: TestVault = {},
  { width = 1440, height = 900, colorScheme = 'light', route = '' }: OpenPageOptions = {},
): Promise<OpenPage> {
  await using opening = new AsyncDisposableStack();
  const pageFolder = await builtPage();
  const workbench = opening.use(await openTestWorkbench({ ...vault, pageFolder }));
  const context = await openContext({ viewport: { width, height }, colorScheme });
  opening.defer(() => context.close());
  const complaints: string[] = [];
  const openTab = async () => {
    const page = await context.newPage();
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => {
      if (/Content Security Policy|Uncaught/i.test(message.text())) complaints.push(message.text());
    });
    return page;
  };
  const page = await openTab();
  await page.goto(workbench.served.newLink());
  await page.waitForURL(({ pathname }) => pathname === '/');
  if (route !== '') await page.goto(`${new URL(page.url()).origin}/#${route}`);
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  const opened = opening.move();
  return {
    page,
    workbench,
    complaints,
    anotherTab: async () => {
      const tab = await openTab();
      await tab.goto(page.url());
      return tab;
    },
    anotherBrowser: async () => {
      const other = await openContext();
      opened.defer(() => other.close());
      return other.newPage();
    },
    photograph: async (name) => {
      const folder = join(import.meta.dirname, '../../../dist/screenshots');
      await page.screenshot({ path: join(folder, `${name}.png`) });
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
