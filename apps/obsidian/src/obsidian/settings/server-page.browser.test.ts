import { scriptedServerConfig } from '@errand/machine/testing';
import { expect, test } from 'vitest';
import { long, patience, SettingsHands, ways } from '../../testing/settings-hands.ts';

test.each(ways)(
  'a server is agreed to, followed, tested and switched off on its page ($way)',
  long,
  async ({ drawsTabs }) => {
    const server = scriptedServerConfig();
    await using hands = await SettingsHands.open(
      { version: 1, mcpServers: [server] },
      { drawsTabs },
    );
    expect(await hands.value('scripted').textContent()).toBe('not yet agreed on this computer');
    await hands.openPage('scripted');
    expect(await hands.button('Test connection').isDisabled()).toBe(true);
    await hands.press('Agree …');
    const dialog = hands.vault.obsidian.page.getByRole('dialog');
    expect(await dialog.textContent()).toContain(server.localConfig?.command);
    await hands.press('Agree');

    // Agreeing to an enabled server tries it at once; its page follows.
    await hands.row('State').getByText('Connected', { exact: true }).waitFor();
    await hands
      .row('State')
      .getByText(/^\d+ tools · .*Last connected just now/)
      .waitFor();
    await hands.press('Test connection');
    await hands
      .row('Test connection')
      .getByText(/^It works and has/)
      .waitFor();
    await hands
      .row('Test connection')
      .getByText(/^✓ Starting it.*: [\d.]+ m?s$/)
      .waitFor();

    await hands.toggle('Enabled');
    await hands.row('State').getByText('Disabled').waitFor();
    expect(hands.data.mcpServers).toMatchObject([{ ...server, enabled: false }]);
    await hands.toggle('Enabled');
    await hands.row('State').getByText('Not connected').waitFor();
    expect(hands.data.mcpServers).toMatchObject([{ ...server, enabled: true }]);
  },
);

test.each(ways)(
  'a server is bound, renamed and removed on its page ($way)',
  async ({ drawsTabs }) => {
    const server = scriptedServerConfig();
    await using hands = await SettingsHands.open(
      { version: 1, mcpServers: [server] },
      { drawsTabs },
    );
    await hands.openPage('scripted');
    await hands.choose('When a model wants to use it', 'deny');
    await expect.poll(() => hands.data.mcpServers[0]?.approval, patience).toBe('deny');

    await hands.press('Bind a section');
    expect(await hands.button('Bind it').isDisabled()).toBe(true);
    await hands.type('Heading', '## Tools');
    await hands.type('Notes', 'Projects/**');
    await hands.press('Bind it');
    const bound = 'Heading "## Tools" and below it, in Projects/**';
    await hands.row(bound).waitFor();
    expect(hands.data.mcpServers[0]?.sectionBindings).toMatchObject([
      { sectionType: 'heading', headingText: '## Tools', documentPath: 'Projects/**' },
    ]);
    await hands.press(`Unbind: ${bound}`);
    await hands.sees('No section is bound here.');

    // A form does not show all of an entry, so it is no agreement: nothing is started.
    await hands.press('Edit');
    await hands.type('Name', 'renamed');
    await hands.press('Save and test');
    await expect
      .poll(() => hands.data.mcpServers, patience)
      .toMatchObject([{ id: server.id, name: 'renamed', enabled: true, approval: 'deny' }]);
    // The page that was open is gone with its name.
    await hands.row('renamed').waitFor();
    expect(await hands.value('renamed').textContent()).toBe('not yet agreed on this computer');
    await hands.openPage('renamed');
    await hands.press('Remove');
    await hands.sees(/Notes keep their blocks and results, but/);
    await hands.press('Keep it');
    expect(hands.data.mcpServers).toHaveLength(1);
    await hands.press('Remove');
    const dialog = hands.vault.obsidian.page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await hands.sees('No server yet.');
    expect(hands.data.mcpServers).toEqual([]);
  },
);

test('a change by another program while a server is edited is told, and what was typed stays', async () => {
  const server = scriptedServerConfig();
  await using hands = await SettingsHands.open({ version: 1, mcpServers: [server] });
  await hands.openPage('scripted');
  await hands.press('Edit');
  await hands.type('Environment', 'MINE=1');
  await hands.writeData({ version: 1, mcpServers: [{ ...server, name: 'theirs' }] });
  await hands.sees('This server was changed elsewhere meanwhile.');
  expect(await hands.field('Environment').inputValue()).toBe('MINE=1');
  await hands.press('Take what is stored');
  expect(await hands.field('Name').inputValue()).toBe('theirs');
  expect(await hands.field('Environment').inputValue()).toBe('');
  await hands.type('Environment', 'MINE=2');
  await hands.writeData({ version: 1, mcpServers: [] });
  await hands.sees('This server was removed elsewhere meanwhile. Saving adds it again.');
  await hands.press('Save and test');
  await expect
    .poll(() => hands.data.mcpServers, patience)
    .toMatchObject([{ name: 'theirs', localConfig: { env: { MINE: '2' } } }]);
});
