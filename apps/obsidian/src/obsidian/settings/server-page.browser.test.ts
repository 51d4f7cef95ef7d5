import { scriptedServerConfig } from '@errand/machine/testing';
import { expect, test } from 'vitest';
import { long, patience, SettingsDriver, ways } from '../../testing/settings-driver.ts';

test.each(ways)(
  'approves, shows, tests and disables a server on its page ($way)',
  long,
  async ({ drawsTabs }) => {
    const server = scriptedServerConfig();
    await using driver = await SettingsDriver.open(
      { version: 1, mcpServers: [server] },
      { drawsTabs },
    );
    expect(await driver.value('scripted').textContent()).toBe('not yet agreed on this computer');
    await driver.openPage('scripted');
    expect(await driver.button('Test connection').isDisabled()).toBe(true);
    await driver.press('Agree …');
    const dialog = driver.vault.obsidian.page.getByRole('dialog');
    expect(await dialog.textContent()).toContain(server.localConfig?.command);
    await driver.press('Agree');

    // Agreeing to an enabled server tries it at once; its page follows.
    await driver.row('State').getByText('Connected', { exact: true }).waitFor();
    await driver
      .row('State')
      .getByText(/^\d+ tools · .*Last connected just now/)
      .waitFor();
    await driver.press('Test connection');
    await driver
      .row('Test connection')
      .getByText(/^It works and has/)
      .waitFor();
    await driver
      .row('Test connection')
      .getByText(/^✓ Starting.*: [\d.]+ m?s$/)
      .waitFor();

    await driver.toggle('Enabled');
    await driver.row('State').getByText('Disabled').waitFor();
    expect(driver.data.mcpServers).toMatchObject([{ ...server, enabled: false }]);
    await driver.toggle('Enabled');
    await driver
      .row('State')
      .getByText(/^Connected/)
      .waitFor();
    expect(driver.data.mcpServers).toMatchObject([{ ...server, enabled: true }]);
  },
);

test.each(ways)(
  'a server is bound, renamed and removed on its page ($way)',
  async ({ drawsTabs }) => {
    const server = scriptedServerConfig();
    await using driver = await SettingsDriver.open(
      { version: 1, mcpServers: [server] },
      { drawsTabs },
    );
    await driver.openPage('scripted');
    await driver.choose('When a model wants to use it', 'deny');
    await expect.poll(() => driver.data.mcpServers[0]?.approval, patience).toBe('deny');

    await driver.press('Bind a section');
    expect(await driver.button('Bind it').isDisabled()).toBe(true);
    await driver.type('Heading', '## Tools');
    await driver.type('Notes', 'Projects/**');
    await driver.press('Bind it');
    const bound = 'Heading "## Tools" and below it, in Projects/**';
    await driver.row(bound).waitFor();
    expect(driver.data.mcpServers[0]?.sectionBindings).toMatchObject([
      { sectionType: 'heading', headingText: '## Tools', documentPath: 'Projects/**' },
    ]);
    await driver.press(`Unbind: ${bound}`);
    await driver.sees('No section is bound here.');

    // A form does not show all of an entry, so it is no agreement: nothing is started.
    await driver.press('Edit');
    await driver.type('Name', 'renamed');
    await driver.press('Save and test');
    await expect
      .poll(() => driver.data.mcpServers, patience)
      .toMatchObject([{ id: server.id, name: 'renamed', enabled: true, approval: 'deny' }]);
    // The page that was open is gone with its name.
    await driver.row('renamed').waitFor();
    expect(await driver.value('renamed').textContent()).toBe('not yet agreed on this computer');
    await driver.openPage('renamed');
    await driver.press('Remove');
    await driver.sees(/Notes keep their blocks and results, but/);
    await driver.press('Keep it');
    expect(driver.data.mcpServers).toHaveLength(1);
    await driver.press('Remove');
    const dialog = driver.vault.obsidian.page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await driver.sees('No server yet.');
    expect(driver.data.mcpServers).toEqual([]);
  },
);

test('reports a change by another program while a server is edited, and keeps what was typed', async () => {
  const server = scriptedServerConfig();
  await using driver = await SettingsDriver.open({ version: 1, mcpServers: [server] });
  await driver.openPage('scripted');
  await driver.press('Edit');
  await driver.type('Environment', 'MINE=1');
  await driver.writeData({ version: 1, mcpServers: [{ ...server, name: 'theirs' }] });
  await driver.sees('This server was changed in the meantime.');
  expect(await driver.field('Environment').inputValue()).toBe('MINE=1');
  await driver.press('Load the stored version');
  expect(await driver.field('Name').inputValue()).toBe('theirs');
  expect(await driver.field('Environment').inputValue()).toBe('');
  await driver.type('Environment', 'MINE=2');
  await driver.writeData({ version: 1, mcpServers: [] });
  await driver.sees('This server was removed in the meantime. Saving adds it again.');
  await driver.press('Save and test');
  await expect
    .poll(() => driver.data.mcpServers, patience)
    .toMatchObject([{ name: 'theirs', localConfig: { env: { MINE: '2' } } }]);
});
