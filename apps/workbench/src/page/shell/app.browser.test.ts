import { expect, test } from 'vitest';
import { findAxeProblems } from '../testing/find-axe-problems.ts';
import { openPage } from '../testing/open-page.ts';

test('every place is reached by the navigation, and axe finds nothing serious in it', async () => {
  await using opened = await openPage({ files: { 'Hello.md': '# Hello\n' } });
  const { page, complaints } = opened;
  for (const name of ['Servers', 'Calls', 'Settings', 'Notes']) {
    await page.getByRole('navigation').getByRole('link', { name }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
    expect(await findAxeProblems(page)).toEqual([]);
  }
  expect(complaints).toEqual([]);
});

test('a browser without the link is told what to do', async () => {
  await using opened = await openPage();
  const context = await opened.browser.newContext();
  const stranger = await context.newPage();
  const answer = await stranger.goto(new URL(opened.workbench.served.link).origin);
  expect(answer?.status()).toBe(403);
  expect(await stranger.textContent('body')).toContain('errand serve');
});
