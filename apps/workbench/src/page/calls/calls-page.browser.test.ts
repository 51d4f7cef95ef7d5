import { scriptedServerConfig } from '@errand/machine/testing';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findAxeProblems } from '../testing/find-axe-problems.ts';
import { openPage } from '../testing/open-page.ts';

const scripted = scriptedServerConfig();
const settings = { mcpServers: [scripted] };
const block = (tool: string, rest = '') => `\`\`\`scripted\ntool: ${tool}\n${rest}\`\`\`\n`;
const route = '/calls';
const now = (page: Page) => page.getByRole('region', { name: 'Now' });
const history = (page: Page) => page.getByRole('region', { name: 'History' });
const rows = (page: Page) => history(page).getByRole('listitem');

test('what runs is shown with its note, ended alone, and then found in the history', async () => {
  const files = { 'Plans/Trip.md': `# Trip\n\n${block('hang')}` };
  await using opened = await openPage({ files, settings }, { route });
  const { page, workbench, complaints } = opened;
  await page.getByText('No calls yet').waitFor();
  await now(page).getByText('Nothing is running.').waitFor();
  const api = await workbench.open();
  await api.send('POST', '/note/run?path=Plans%2FTrip.md');
  const row = now(page).getByRole('listitem');
  await row.getByText('Running').waitFor();
  await row.getByText('A note').waitFor();
  const link = row.getByRole('link', { name: 'Trip line 3' });
  expect(await link.getAttribute('href')).toBe(
    '#/notes/Plans/Trip.md?line=3&server=scripted&tool=hang',
  );
  expect(await findAxeProblems(page)).toEqual([]);
  await row.getByRole('button', { name: 'Cancel scripted hang' }).click();
  await now(page).getByText('Nothing is running.').waitFor();
  await rows(page).getByText('Cancelled').waitFor();
  expect(complaints).toEqual([]);
});

test('stop all ends every call from any page, and resume allows new ones', async () => {
  const files = { 'n.md': block('echo', 'text: hello\n') + block('hang') };
  await using opened = await openPage({ files, settings }, { route: '/settings' });
  const { page, workbench } = opened;
  const api = await workbench.open();
  await api.send('POST', '/note/run?path=n.md');
  const navigation = page.getByRole('navigation', { name: 'Main' });
  await navigation.getByText('1 running').waitFor();
  await navigation.getByRole('button', { name: 'Stop all' }).click();
  const banner = page.getByText('All calls are stopped.');
  await banner.waitFor();
  await navigation.getByText('1 running').waitFor({ state: 'detached' });
  await navigation.getByRole('link', { name: 'Calls' }).click();
  await rows(page).getByText('Cancelled').waitFor();
  const call = { tool: 'echo', params: { text: 'x' } };
  expect(await api.send('POST', `/servers/${scripted.id}/call`, call)).toMatchObject({
    error: { code: 'stopped' },
  });
  await opened.photograph('calls-stopped');
  await page.getByRole('button', { name: 'Resume' }).click();
  await banner.waitFor({ state: 'detached' });
  expect(await api.send('POST', `/servers/${scripted.id}/call`, call)).toMatchObject({
    status: 'success',
  });
  await rows(page).getByText('A test in Servers').first().waitFor();
});

test("a session's limit is warned of, reached and reset", async () => {
  const files = { 'Trip.md': block('structured') };
  const limited = { ...settings, mcpSessionLimit: 5 };
  await using opened = await openPage({ files, settings: limited }, { route });
  const { page, workbench } = opened;
  const api = await workbench.open();
  const run = async () => {
    using events = await api.follow();
    const { runId } = await api.send<{ runId: string }>('POST', '/note/run?path=Trip.md');
    return (await events.until('run-ended', (ended) => ended.runId === runId)).results;
  };
  for (let round = 0; round < 4; round += 1) await run();
  const sessions = page.getByRole('region', { name: 'Sessions' });
  await sessions.getByText('4 of 5 calls').waitFor();
  await sessions.getByText('Near the limit').waitFor();
  await page.getByRole('status').getByText('4 of 5 calls of Trip.md are used').waitFor();
  await run();
  await sessions.getByText('Limit reached').waitFor();
  expect(await run()).toMatchObject([{ status: 'refused', error: { code: 'session_limit' } }]);
  await opened.photograph('calls-limit');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await findAxeProblems(page)).toEqual([]);
  }
  await sessions.getByRole('button', { name: 'Reset Trip.md' }).click();
  await sessions.getByText('0 of 5 calls').waitFor();
  expect(await run()).toMatchObject([{ status: 'success' }]);
});

test('the history is filtered by the address, loaded in steps, and two tabs agree', async () => {
  const files = { 'a.md': block('fail') };
  const unlimited = { ...settings, mcpSessionLimit: -1 };
  await using opened = await openPage({ files, settings: unlimited }, { route });
  const { page, workbench } = opened;
  const api = await workbench.open();
  const call = (text: string) =>
    api.send('POST', `/servers/${scripted.id}/call`, { tool: 'echo', params: { text } });
  for (let round = 0; round < 52; round += 1) await call(String(round));
  await api.send('POST', '/note/run?path=a.md');
  await rows(page).getByText('Failed').waitFor();
  await page.getByLabel('Called by').selectOption('A note');
  await expect.poll(() => rows(page).count()).toBe(1);
  await page.getByRole('link', { name: 'Show all' }).click();
  await expect.poll(() => rows(page).count()).toBe(50);
  await rows(page).first().getByText('Failed').waitFor();
  await page.getByRole('button', { name: 'Load more' }).click();
  await expect.poll(() => rows(page).count()).toBe(53);
  expect(await page.getByRole('button', { name: 'Load more' }).count()).toBe(0);

  await page.getByLabel('Outcome').selectOption('Failed');
  await page.waitForURL(/#\/calls\?status=error$/);
  await expect.poll(() => rows(page).count()).toBe(1);
  await rows(page).getByText('It did not work.').waitFor();
  const tab = await opened.anotherTab();
  await expect.poll(() => rows(tab).count()).toBe(1);
  await api.send('POST', '/note/run?path=a.md');
  await call('not shown');
  for (const each of [page, tab]) await expect.poll(() => rows(each).count()).toBe(2);
  await page.getByLabel('Note').fill('none.md');
  await page.getByLabel('Note').press('Enter');
  await page.getByText('No matching calls').waitFor();
  await page.getByRole('link', { name: 'Show all calls' }).click();
  await expect.poll(() => rows(page).count()).toBe(50);
});

test('one call is shown in full: parameters, answer, error and what to do', async () => {
  await using opened = await openPage({ settings }, { route });
  const { page, workbench, complaints } = opened;
  const api = await workbench.open();
  const call = (tool: string, params: object) =>
    api.send<{ id: string }>('POST', `/servers/${scripted.id}/call`, { tool, params });
  await call('structured', {});
  const { id } = await call('echo', { text: { deep: 'two' } });
  await rows(page).getByRole('link', { name: 'scripted structured' }).click();
  await page.getByRole('heading', { level: 1, name: 'structured' }).waitFor();
  await page.getByRole('region', { name: 'Parameters' }).getByText('No parameters.').waitFor();
  await page.getByRole('region', { name: 'Answer' }).getByText('sum:').waitFor();
  const origin = new URL(workbench.served.gatewayUrl).origin;
  await page.goto(`${origin}/#/calls/${id}`);
  await page.getByText('Correct the parameters.').waitFor();
  await page.getByText('invalid_params').waitFor();
  await page.getByRole('region', { name: 'Parameters' }).getByText('"two"').waitFor();
  await opened.photograph('call-in-full');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await findAxeProblems(page)).toEqual([]);
  }
  await page.getByRole('link', { name: 'All calls' }).click();
  await expect.poll(() => rows(page).count()).toBe(2);
  await page.goto(`${origin}/#/calls/none`);
  await page.getByText('This call cannot be shown').waitFor();
  expect(complaints).toEqual([]);
});

test('a call that is looked at while it runs shows its answer when it ends', async () => {
  await using opened = await openPage({ settings }, { route });
  const { page, workbench } = opened;
  const api = await workbench.open();
  const params = { file: `${workbench.folder}/go` };
  const answer = api.send('POST', `/servers/${scripted.id}/call`, { tool: 'wait', params });
  await now(page).getByRole('link', { name: 'scripted wait' }).click();
  await page.getByText('Its parameters and answer appear here').waitFor();
  await workbench.writeNote('go', '');
  await answer;
  await page.getByText('it is there').waitFor();
});

test('by keyboard alone: cancel a call, filter, open one, and come back', async () => {
  const files = { 'n.md': block('hang') };
  await using opened = await openPage({ files, settings }, { route });
  const { page, workbench } = opened;
  const focused = () => page.evaluate('document.activeElement.textContent.trim()');
  const tabTo = async (name: string) => {
    for (let presses = 0; presses < 30; presses += 1) {
      await page.keyboard.press('Tab');
      if ((await focused()) === name) return;
    }
    throw new Error(`Tab does not lead to ${name}.`);
  };
  await (await workbench.open()).send('POST', '/note/run?path=n.md');
  await now(page).getByText('Running').waitFor();
  await tabTo('Cancel');
  await page.keyboard.press('Enter');
  await rows(page).getByText('Cancelled').waitFor();
  await expect.poll(focused).toBe('Calls');
  await page.getByLabel('Outcome').focus();
  // The rows are replaced by those of the filter, with the focus if it is on one of them already.
  const filtered = page.waitForResponse(/history\?.*status=cancelled/);
  await page.keyboard.type('Cancelled');
  await page.waitForURL(/status=cancelled$/);
  await filtered;
  await rows(page).getByText('Cancelled').waitFor();
  await tabTo('scripted hang');
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'Answer' }).waitFor();
  await expect.poll(focused).toBe('hang scripted');
  await page.keyboard.press('Shift+Tab');
  expect(await focused()).toBe('All calls');
  await page.keyboard.press('Enter');
  await rows(page).first().waitFor();
  await expect.poll(focused).toBe('Calls');
});
