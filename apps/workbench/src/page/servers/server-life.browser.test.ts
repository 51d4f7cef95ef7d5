import { scriptedServerConfig } from '@errand/host/testing';
import { expect, test } from 'vitest';
import { joinCommand } from '../../api/servers/command-line.ts';
import { openPage } from '../testing/open-page.ts';

const servers = { route: '/servers' };
const broken = () =>
  scriptedServerConfig({ onStart: 'exit', stderr: 'no cheese\n' }, { name: 'broken' });

test('a server that breaks shows attempt, reason and countdown, and is tried now when asked', async () => {
  const server = scriptedServerConfig({}, { name: 'breaks' });
  await using opened = await openPage(
    // Nothing happens by itself here, so that every try is the person's.
    { settings: { mcpServers: [server] }, plan: { backoffIntervals: [90_000, 90_000, 90_000] } },
    servers,
  );
  const { page } = opened;
  await page.getByText('It is started when it is first used.').waitFor();
  await page.getByRole('button', { name: 'Try breaks now' }).click();
  await page.getByText('Connected', { exact: true }).waitFor();
  const working = JSON.parse(await opened.workbench.readNote('.errand/settings.json'));
  const { localConfig } = broken();
  const settings = { ...working, mcpServers: [{ ...working.mcpServers[0], localConfig }] };
  await page.getByRole('button', { name: 'Edit breaks' }).click();
  const command = joinCommand([localConfig?.command ?? '', ...(localConfig?.args ?? [])]);
  await page.getByLabel('Command (needed)').fill(command);
  await page.getByRole('button', { name: 'Save and test' }).click();
  await page.getByRole('dialog', { name: 'breaks does not work yet' }).waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  expect(settings.mcpServers).toHaveLength(1);
  await page.getByRole('button', { name: 'Try breaks now' }).click();
  await page.getByText('Retrying: attempt 1 of 3').waitFor();
  await page.getByText(/^next try in \d+ s$/).waitFor();
  const before = Number(
    /\d+/.exec((await page.getByText(/^next try in/).textContent()) ?? '')?.[0],
  );
  await expect
    .poll(async () =>
      Number(/\d+/.exec((await page.getByText(/^next try in/).textContent()) ?? '')?.[0]),
    )
    .toBeLessThan(before);
  await page.getByText('exit code 3').first().waitFor();
  await opened.photograph('servers-retrying');
  await page.getByRole('button', { name: 'Try breaks now' }).click();
  await page.getByText(/Retrying: attempt [12] of 3/).waitFor();
});

test('a server that is given up is told as a notice and in its row, and comes back when enabled', async () => {
  const server = broken();
  await using opened = await openPage({ settings: { mcpServers: [server] } }, servers);
  const { page } = opened;
  await page.getByRole('button', { name: 'Try broken now' }).click();
  await page.getByText('Switched off after failures').waitFor();
  const toast = page.getByRole('region', { name: 'Notices' });
  await toast.getByText('MCP server broken auto-disabled after 3 failures').waitFor();
  const toggle = page.getByRole('switch', { name: 'broken is enabled' });
  expect(await toggle.isChecked()).toBe(false);
  await opened.photograph('servers-auto-disabled');
  await page.getByRole('link', { name: 'broken' }).click();
  await page.getByText('no cheese', { exact: true }).waitFor();
  await page.getByText('They are shown once it is enabled.').waitFor();
  await page.getByRole('button', { name: 'Edit broken' }).click();
  const { command = '', args = [] } = scriptedServerConfig().localConfig ?? {};
  await page.getByLabel('Command (needed)').fill(joinCommand([command, ...args]));
  await page.getByRole('button', { name: 'Save and test' }).click();
  await page.getByRole('dialog', { name: 'broken works' }).waitFor();
  await page.getByRole('button', { name: 'Done' }).click();
  await toggle.click();
  await page.getByText('Connected', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Try echo' }).waitFor();
});

test('is tested, switched off, renamed and removed from its row', async () => {
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
  await page.getByLabel('Name (needed)').fill('climate');
  await page.getByText('More', { exact: true }).click();
  await page.getByLabel('Seconds a call may take').fill('5');
  await page.getByRole('button', { name: 'Save and test' }).click();
  await page.getByText('It is still switched off.').waitFor();
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
