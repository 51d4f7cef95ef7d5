import { scriptedServerConfig } from '@errand/machine/testing';
import { joinCommand } from '@errand/workspace/servers';
import { expect, test } from 'vitest';
import { openPage } from '../testing/open-page.ts';

const servers = { route: '/servers' };
const broken = () =>
  scriptedServerConfig({ onStart: 'exit', stderr: 'no cheese\n' }, { name: 'broken' });

test('a server that breaks shows attempt, reason and countdown, and is retried on request', async () => {
  const server = scriptedServerConfig({}, { name: 'breaks' });
  await using opened = await openPage(
    // Long waits, so that the next try is the person's.
    { settings: { mcpServers: [server] }, plan: { backoffIntervals: [90_000, 90_000, 90_000] } },
    { route: `/servers/${server.id}` },
  );
  const { page } = opened;
  await page.getByRole('button', { name: 'Try crash', exact: true }).click();
  await page.getByLabel('words').fill('out of cheese');
  await page.getByRole('form').getByRole('button', { name: 'Run' }).click();
  await page.getByText('Retrying: attempt 1 of 3').waitFor();
  await page.getByText('out of cheese', { exact: true }).first().waitFor();
  await page.getByRole('link', { name: 'Servers' }).first().click();
  await page.getByText('Retrying: attempt 1 of 3').waitFor();
  await page.locator('.server-reason').filter({ hasText: 'breaks' }).waitFor();
  const secondsLeft = async () => {
    const words = await page.getByText(/^next attempt in \d+ s$/).textContent();
    return Number(words?.replace(/\D/g, ''));
  };
  const before = await secondsLeft();
  await expect.poll(secondsLeft).toBeLessThan(before);
  await opened.photograph('servers-retrying');
  await page.getByRole('button', { name: 'Try now: breaks' }).click();
  await page.getByText('Connected', { exact: true }).waitFor();
  expect(await page.getByText(/^next attempt/).count()).toBe(0);
});

test('a server that is auto-disabled is reported in a notice and in its row, and connects again when enabled', async () => {
  const server = broken();
  await using opened = await openPage({ settings: { mcpServers: [server] } }, servers);
  const { page } = opened;
  await page.getByRole('button', { name: 'Try now: broken' }).click();
  await page.getByText('Disabled after failures').waitFor();
  const toast = page.getByRole('region', { name: 'Notices' });
  await toast.getByText('MCP server broken auto-disabled after 3 failures').waitFor();
  const toggle = page.getByRole('switch', { name: 'broken is enabled' });
  expect(await toggle.isChecked()).toBe(false);
  await opened.photograph('servers-auto-disabled');
  await page.getByRole('link', { name: 'broken' }).click();
  await page.getByText('no cheese', { exact: true }).waitFor();
  await page.getByText('Shown once the server is enabled.').waitFor();
  await page.getByRole('button', { name: 'Edit broken' }).click();
  const { command = '', args = [] } = scriptedServerConfig().localConfig ?? {};
  await page.getByLabel('Command (required)').fill(joinCommand([command, ...args]));
  await page.getByRole('button', { name: 'Save and test' }).click();
  await page.getByRole('dialog', { name: 'broken works' }).waitFor();
  // A changed entry deserves another chance, so the server is enabled again by itself.
  await page.getByText('It is enabled: notes can use it now.').waitFor();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByText('Connected', { exact: true }).waitFor();
  await toggle.click();
  await page.getByText('Disabled', { exact: true }).waitFor();
  await toggle.click();
  await page.getByText('Connected', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Try echo' }).waitFor();
});

test('a server is tested, disabled, renamed and removed from its row', async () => {
  const server = scriptedServerConfig({}, { name: 'weather' });
  await using opened = await openPage({ settings: { mcpServers: [server] } }, servers);
  const { page } = opened;
  await page.getByRole('button', { name: 'Test weather' }).click();
  await page.getByText(/^It works and has \d+ tools\.$/).waitFor();
  await opened.photograph('servers-tested');
  await page.getByRole('button', { name: 'Close the test' }).click();
  await page.getByRole('switch', { name: 'weather is enabled' }).click();
  await page.getByText('Disabled', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Edit weather' }).click();
  await page.getByLabel('Name (required)').fill('climate');
  await page.getByText('More', { exact: true }).click();
  await page.getByLabel('Seconds a call may take').fill('5');
  await page.getByRole('button', { name: 'Save and test' }).click();
  await page.getByText('It is still disabled.').waitFor();
  await page.getByRole('button', { name: 'Done' }).click();
  const [stored] = JSON.parse(await opened.workbench.readNote('.errand/settings.json')).mcpServers;
  expect(stored).toMatchObject({ name: 'climate', timeout: 5000, enabled: false });
  await page.getByRole('button', { name: 'Remove climate' }).click();
  await page.getByRole('dialog', { name: 'Remove climate?' }).waitFor();
  await page.getByRole('button', { name: 'Keep it' }).click();
  await page.getByRole('button', { name: 'Remove climate' }).click();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByText('No servers yet').waitFor();
});
