import { scriptedServerConfig } from '@errand/machine/testing';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findAxeProblems } from '../testing/find-axe-problems.ts';
import { openPage } from '../testing/open-page.ts';

const names = ['Servers', 'Calls', 'Settings', 'Notes'];
const scripted = scriptedServerConfig();
const settings = { mcpServers: [scripted] };
const hang = '```scripted\ntool: hang\n```\n';
const focused = (page: Page) => page.evaluate('document.activeElement.textContent.trim()');

test.each([
  ['light', 1440],
  ['dark', 380],
] as const)(
  'the navigation reaches every page, and axe finds nothing serious: %s, %i pixels',
  async (colorScheme, width) => {
    const vault = { files: { 'Hello.md': '# Hello\n' }, settings };
    await using opened = await openPage(vault, { colorScheme, width });
    const { page, complaints } = opened;
    for (const name of names) {
      await page.getByRole('navigation').getByRole('link', { name }).click();
      await page.getByRole('heading', { level: 1, name }).waitFor();
      await expect.poll(() => page.title()).toBe(`${name} · vault · Errand`);
      expect(await findAxeProblems(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    }
    expect(complaints).toEqual([]);
  },
);

test('by keyboard alone: skip the navigation, go to a page, and land on its heading', async () => {
  await using opened = await openPage({ files: { 'n.md': hang }, settings }, { route: '/calls' });
  const { page, workbench } = opened;
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Calls' }).waitFor();
  await page.keyboard.press('Tab');
  expect(await focused(page)).toBe('Skip to the content');
  await page.keyboard.press('Enter');
  expect(await focused(page)).toBe('Calls');
  await page.keyboard.press('Shift+Tab');
  expect(await focused(page)).toBe('Settings');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  await expect.poll(() => focused(page)).toBe('Settings');
  expect(await page.evaluate('document.activeElement.tagName')).toBe('H1');
  await (await workbench.open()).send('POST', '/note/run?path=n.md');
  const stop = page.getByRole('button', { name: 'Stop all' });
  await stop.waitFor();
  await page.keyboard.press('Shift+Tab');
  expect(await focused(page)).toBe('Stop all');
  await page.keyboard.press('Enter');
  const resume = page.getByRole('button', { name: 'Resume' });
  await resume.waitFor();
  await stop.waitFor({ state: 'detached' });
  expect(await focused(page)).toBe('Settings');
  await resume.press('Enter');
  await resume.waitFor({ state: 'detached' });
});

test('settings are changed by keyboard alone', async () => {
  await using opened = await openPage({}, { route: '/settings' });
  const { page, workbench } = opened;
  await page.reload();
  await page.getByLabel('Time for a call').waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Control+A');
  await page.keyboard.type('12');
  await page.keyboard.press('Enter');
  await page.getByText('Saved.', { exact: true }).waitFor();
  expect(await workbench.readNote('.errand/settings.json')).toContain('"mcpGlobalTimeout": 12000');
});

test('what a person types survives a restart of Errand, and what was missed is shown', async () => {
  const vault = { files: { 'n.md': hang }, settings };
  await using opened = await openPage(vault, { route: '/settings' });
  const { page, workbench, complaints } = opened;
  const tab = await opened.anotherTab();
  await tab.goto(`${new URL(page.url()).origin}/#/calls`);
  await tab.getByText('No calls yet').waitFor();
  await page.getByLabel('Keep calls for').fill('12');
  await workbench.stop();
  for (const each of [page, tab]) await each.getByText('Errand is not responding.').waitFor();
  const stored = { version: 1, mcpServers: [scripted], logMegabytes: 41 };
  await workbench.writeNote('.errand/settings.json', JSON.stringify(stored));
  await workbench.start();
  for (const each of [page, tab]) await each.getByText('Errand was restarted.').waitFor();
  const link = workbench.served.newLink();
  const opener = await page.context().newPage();
  await opener.goto(link);
  await opener.getByRole('navigation', { name: 'Main' }).waitFor();
  await opener.close();
  const api = await workbench.open();
  const call = { tool: 'echo', params: { text: 'hello' } };
  await api.send('POST', `/servers/${scripted.id}/call`, call);
  for (const each of [page, tab]) {
    await each.getByText('Reconnected.').waitFor();
    expect(await each.getByText('Errand is not responding.').count()).toBe(0);
    expect(await each.getByText('Errand was restarted.').count()).toBe(0);
  }
  await tab.getByRole('link', { name: 'scripted echo' }).waitFor();
  await expect.poll(() => page.getByLabel('Size of the log').inputValue()).toBe('41');
  expect(await page.getByLabel('Keep calls for').inputValue()).toBe('12');
  await api.send('POST', `/servers/${scripted.id}/call`, call);
  await expect.poll(() => tab.getByRole('link', { name: 'scripted echo' }).count()).toBe(2);
  expect(complaints).toEqual([]);
});

test('notices wait for their turn, and at 380 pixels they cover nothing', async () => {
  await using opened = await openPage({}, { width: 380, height: 700, route: '/settings' });
  const { page, workbench } = opened;
  for (const number of [1, 2, 3, 4, 5]) {
    workbench.pageNotifier.notify({ level: 'error', message: `Something is wrong: ${number}` });
  }
  const notices = page.getByRole('region', { name: 'Notices' });
  await notices.getByText('2 more').waitFor();
  expect(await notices.getByRole('alert').count()).toBe(3);
  const bottom = async (selector: string) => {
    const box = await page.locator(selector).boundingBox();
    return { top: box?.y ?? 0, bottom: (box?.y ?? 0) + (box?.height ?? 0) };
  };
  const [place, toasts, navigation] = [
    await bottom('#main'),
    await bottom('.toasts'),
    await bottom('.navigation'),
  ];
  expect(place.bottom).toBeLessThanOrEqual(toasts.top);
  expect(toasts.bottom).toBeLessThanOrEqual(navigation.top);
  expect(navigation.bottom).toBeLessThanOrEqual(700);
  await opened.photograph('shell-380-notices');
  await notices.getByRole('button', { name: 'Close', exact: true }).first().click();
  await notices.getByText('Something is wrong: 4').waitFor();
  await notices.getByRole('button', { name: 'Close all' }).click();
  await expect.poll(() => notices.getByRole('alert').count()).toBe(0);
});

test('a browser without the link is told what to do', async () => {
  await using opened = await openPage();
  const stranger = await opened.anotherBrowser();
  const answer = await stranger.goto(new URL(opened.workbench.served.gatewayUrl).origin);
  expect(answer?.status()).toBe(403);
  expect(await stranger.textContent('body')).toContain('errand serve');
});
