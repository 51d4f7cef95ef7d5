import { scriptedServerConfig } from '@errand/machine/testing';
import { expect, test } from 'vitest';
import { gatewayToken } from '../../api/testing/test-workbench.ts';
import { findAxeProblems } from '../testing/find-axe-problems.ts';
import { openPage } from '../testing/open-page.ts';

const route = '/settings';

test('settings are changed and saved; a mistake is explained at its field', async () => {
  await using opened = await openPage({}, { route });
  const { page, workbench, complaints } = opened;
  const time = page.getByLabel('Time for a call');
  expect(await time.inputValue()).toBe('30');
  await page.getByText('Everything is saved.').waitFor();
  await time.fill('0');
  await page.getByLabel('Folder for attachments').fill('../elsewhere');
  await page.getByText('Not saved yet.').waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Use a number of seconds from 1 to 300.').waitFor();
  expect(await time.getAttribute('aria-invalid')).toBe('true');
  await time.fill('45');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('a folder inside the vault').waitFor();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await findAxeProblems(page)).toEqual([]);
  }
  await page.getByLabel('Folder for attachments').fill('Files');
  await page.getByRole('checkbox', { name: 'No limit for: Calls of a session' }).check();
  await page.getByLabel('When a call fails').selectOption('Keep the old answer');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.', { exact: true }).waitFor();
  expect(JSON.parse(await workbench.readNote('.errand/settings.json'))).toMatchObject({
    mcpGlobalTimeout: 45_000,
    attachmentsFolder: 'Files',
    mcpSessionLimit: -1,
    onError: 'keep',
  });
  expect(complaints).toEqual([]);
});

test('settings stored by another program or tab appear at once and keep what is typed', async () => {
  await using opened = await openPage({}, { route });
  const { page, workbench } = opened;
  const tab = await opened.anotherTab();
  await page.getByLabel('Keep calls for').fill('12');
  await workbench.writeNote(
    '.errand/settings.json',
    JSON.stringify({ version: 1, mcpServers: [], logDays: 9, logMegabytes: 55, onError: 7 }),
  );
  for (const each of [page, tab]) {
    await expect.poll(() => each.getByLabel('Size of the log').inputValue()).toBe('55');
    await each.getByText('The settings file has errors').waitFor();
    await each.getByRole('listitem').getByText('onError').waitFor();
  }
  expect(await page.getByLabel('Keep calls for').inputValue()).toBe('12');
  await page.getByText('“9” was stored in another tab or program.').waitFor();
  await opened.photograph('settings-meanwhile');
  await page.getByRole('button', { name: 'Use it' }).click();
  expect(await page.getByLabel('Keep calls for').inputValue()).toBe('9');
  await page.getByLabel('Keep calls for').fill('13');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.', { exact: true }).waitFor();
  await expect.poll(() => tab.getByLabel('Keep calls for').inputValue()).toBe('13');
});

test('secrets are set, replaced and removed by name; a missing one comes first', async () => {
  const server = scriptedServerConfig();
  const localConfig = { command: 'x', ...server.localConfig, env: { KEY: `\${secret:crm}` } };
  const settings = { mcpServers: [{ ...server, localConfig }] };
  await using opened = await openPage({ settings }, { route });
  const { page, complaints } = opened;
  const secrets = page.getByRole('region', { name: 'Secrets' });
  const row = (name: string) => secrets.getByRole('listitem').filter({ hasText: name });
  await row('crm').getByText('Missing, used by the settings').waitFor();
  await secrets.getByRole('button', { name: 'Add a secret' }).click();
  await secrets.getByLabel('Name').fill('a/b');
  await secrets.getByRole('form', { name: 'Value of a/b' }).locator('input').fill('x');
  await secrets.getByRole('form', { name: 'Value of a/b' }).getByText('Save').click();
  await secrets.getByText('A name has letters, digits').waitFor();
  await secrets.getByLabel('Name').fill('able');
  await secrets.getByRole('form', { name: 'Value of able' }).getByText('Save').click();
  await row('able').getByText('Set', { exact: true }).waitFor();
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Secrets');
  expect(await secrets.getByRole('listitem').first().textContent()).toContain('crm');
  expect(await findAxeProblems(page)).toEqual([]);
  const value = row('crm').locator('input');
  expect(await value.getAttribute('type')).toBe('password');
  await row('crm').getByRole('button', { name: 'Save' }).click();
  await row('crm').getByText('Nothing was given.').waitFor();
  await value.fill('hush');
  await row('crm').getByRole('button', { name: 'Save' }).click();
  await row('crm').getByText('Set', { exact: true }).waitFor();
  expect(await page.content()).not.toContain('hush');
  const tab = await opened.anotherTab();
  await row('crm').getByRole('button', { name: 'Remove crm' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await row('crm').getByText('Missing, used by the settings').waitFor();
  await tab.getByText('Missing, used by the settings').waitFor();
  expect(complaints).toEqual([]);
});

test("the gateway's address and token are copied for other programs, and the token is not shown", async () => {
  await using opened = await openPage({}, { route });
  const { page, workbench } = opened;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy the address' }).click();
  await page.getByRole('button', { name: 'Copied the address' }).waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(workbench.served.gatewayUrl);
  for (const what of ['token', 'example']) {
    await page.getByRole('button', { name: `Copy the ${what}` }).click();
    await page.getByRole('button', { name: `Copied the ${what}` }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain(gatewayToken);
  }
  expect(await page.textContent('body')).not.toContain(gatewayToken);
  await page.getByText('Errand 0.1.0').waitFor();
});

test('a link is made for another browser, and lets it in', async () => {
  await using opened = await openPage({}, { route });
  const { page } = opened;
  await page.getByRole('button', { name: 'Make a link' }).click();
  const region = page.getByRole('region', { name: 'Another browser' });
  const link = (await region.locator('code').textContent()) ?? '';
  expect(await findAxeProblems(page)).toEqual([]);
  const other = await opened.anotherBrowser();
  await other.goto(link);
  await other.getByRole('navigation', { name: 'Main' }).waitFor();
  const third = await opened.anotherBrowser();
  expect((await third.goto(link))?.status()).toBe(403);
  await third.getByText('This link was used already').waitFor();
});

test('unsaved settings are kept while another page is open', async () => {
  await using opened = await openPage({}, { route });
  const { page } = opened;
  await page.getByLabel('Time for a call').fill('44');
  for (const name of ['Calls', 'Settings']) {
    await page.getByRole('navigation').getByRole('link', { name }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
  }
  expect(await page.getByLabel('Time for a call').inputValue()).toBe('44');
  await page.getByText('Not saved yet.').waitFor();
  await page.getByRole('button', { name: 'Discard' }).click();
  expect(await page.getByLabel('Time for a call').inputValue()).toBe('30');
});
