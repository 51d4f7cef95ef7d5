import { scriptedServerConfig } from '@errand/machine/testing';
import { expect, test } from 'vitest';
import { findAxeProblems } from '../testing/find-axe-problems.ts';
import { openPage } from '../testing/open-page.ts';
import { TemporaryJournal } from '../testing/temporary-journal.ts';

test('nothing that came with a vault starts before the yes, and only what was agreed to after it', async () => {
  using liked = new TemporaryJournal();
  using other = new TemporaryJournal();
  const mcpServers = [
    scriptedServerConfig({ journal: liked.path }, { name: 'liked' }),
    scriptedServerConfig({ journal: other.path }, { name: 'other', approval: 'allow' }),
  ];
  await using opened = await openPage({ settings: { mcpServers }, strangers: ['liked', 'other'] });
  const { page, workbench, complaints } = opened;
  const dialog = page.getByRole('dialog', { name: 'May these servers start?' });
  await dialog.waitFor();
  await dialog.getByText('lets a model use its tools without asking').waitFor();
  await opened.photograph('servers-trust');
  expect(await findAxeProblems(page)).toEqual([]);
  expect([...liked.read(), ...other.read()]).toEqual([]);
  await dialog.getByRole('button', { name: 'Not now' }).click();
  await page.getByRole('navigation').getByRole('link', { name: 'Servers' }).click();
  await page.getByText('Needs approval').first().waitFor();
  const [liking] = mcpServers;
  const used = (await workbench.open()).send('GET', `/servers/${liking?.id}/tools`);
  await expect(used).rejects.toThrow('untrusted');
  await expect
    .poll(() => page.locator('nav .count').allTextContents())
    .toEqual(['2 need attention']);
  expect(await dialog.count()).toBe(0);
  await opened.photograph('servers-waiting');
  await page.getByRole('link', { name: 'liked' }).click();
  await page.getByText('Shown once you allow the server to start').waitFor();
  await page.getByRole('button', { name: 'Review' }).click();
  await dialog.getByRole('checkbox', { name: 'liked' }).check();
  await dialog.getByRole('button', { name: 'Agree to selected' }).click();
  await page.getByText('Connected', { exact: true }).waitFor();
  expect(liked.read()).not.toEqual([]);
  await page.getByRole('link', { name: 'Servers' }).first().click();
  await page.getByText('Needs approval').waitFor();
  expect(other.read()).toEqual([]);
  expect(complaints).toEqual([]);
});

test('an entry that changes after the yes is asked for again, and is not started meanwhile', async () => {
  using journal = new TemporaryJournal();
  const server = scriptedServerConfig({}, { name: 'mine' });
  await using opened = await openPage(
    { settings: { mcpServers: [server] } },
    { route: `/servers/${server.id}` },
  );
  const { page, workbench } = opened;
  await page.getByText('Connected', { exact: true }).waitFor();
  const { localConfig } = scriptedServerConfig({ journal: journal.path });
  const read = () => workbench.readNote('.errand/settings.json');
  const settings = JSON.parse(await read());
  const mcpServers = [{ ...settings.mcpServers[0], localConfig }];
  await workbench.writeNote('.errand/settings.json', JSON.stringify({ ...settings, mcpServers }));
  const dialog = page.getByRole('dialog', { name: 'May these servers start?' });
  await dialog.getByText('Changed since you agreed').waitFor();
  await dialog.getByText(journal.path).waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('What it starts has changed since you agreed.').waitFor();
  expect(journal.read()).toEqual([]);
});
