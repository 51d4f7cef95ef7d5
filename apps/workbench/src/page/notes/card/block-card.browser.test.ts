import { scriptedServerConfig } from '@errand/machine/testing';
import { expect, test } from 'vitest';
import { openPage } from '../../testing/open-page.ts';

const settings = { mcpServers: [scriptedServerConfig()] };
const route = '/notes/n.md';

test('what is wrong with a block is said once, also after its error stands in the note', async () => {
  const files = { 'n.md': '```scripted\ntext: a\n```\n\n```scripted\ntool: nonsense\n```\n' };
  await using opened = await openPage({ files, settings }, { route });
  const { page, workbench } = opened;
  const said = page.locator('.call-card').getByText('The block names no tool.');
  await said.waitFor();
  await page.getByRole('button', { name: 'Run all' }).click();
  await expect.poll(() => workbench.readNote('n.md')).toContain('code=tool_not_found');
  await page.getByText('Tool not found: nonsense').first().waitFor();
  await expect.poll(() => said.count()).toBe(1);
  await expect.poll(() => page.getByText('Tool not found: nonsense').count()).toBe(1);
});

test('an edited answer is told in words of the page, and not as a failure', async () => {
  const files = { 'n.md': '```scripted\ntool: echo\ntext: a\n```\n' };
  await using opened = await openPage({ files, settings }, { route });
  const { page, workbench } = opened;
  await page.getByRole('button', { name: 'Run all' }).click();
  await page.getByText('Up to date').waitFor();
  const text = await workbench.readNote('n.md');
  await workbench.writeNote('n.md', text.replace(/(mcp-result.*\n).*/, '$1mine'));
  await page.getByText('Edited by hand').waitFor();
  await page.getByRole('button', { name: 'Run all' }).click();
  const told = page.getByRole('listitem').filter({ hasText: 'output_edited' });
  await told.getByText('Run the block by itself').waitFor();
  expect(await told.getAttribute('class')).toBe('neutral');
});

test('a block of a disabled server cannot be run until the server is enabled', async () => {
  const mcpServers = [scriptedServerConfig({}, { enabled: false })];
  const files = { 'n.md': '# Weather\n\n```scripted\ntool: echo\ntext: a\n```\n' };
  await using opened = await openPage({ files, settings: { mcpServers } }, { route });
  const { page, workbench } = opened;
  const run = page.getByRole('button', { name: 'Run scripted echo' });
  await page.getByText('Server scripted is disabled. Enable it in Servers.').waitFor();
  expect(await run.isDisabled()).toBe(true);
  await opened.photograph('notes-server-disabled');
  const tab = await opened.anotherTab();
  await tab.getByRole('navigation', { name: 'Main' }).getByText('Servers').click();
  await tab.getByRole('switch', { name: 'scripted is enabled' }).click();
  await run.click();
  await page.getByText('Up to date').waitFor();
  expect(await workbench.readNote('n.md')).toContain('mcp-result');
});

test('long names leave room for each other, and nothing is wider than the card', async () => {
  const name = 'a_name_that_goes_on_and_on_without_a_break_until_it_is_much_too_long';
  const files = {
    'n.md': `\`\`\`scripted\ntool: ${name}\nshort: b\n${name}: ${'y'.repeat(200)}\n\`\`\`\n`,
  };
  await using opened = await openPage({ files, settings }, { route, width: 380 });
  const { page } = opened;
  const card = page.locator('.call-card');
  await card.waitFor();
  await opened.photograph('notes-long-names');
  const tooWide =
    '((card) => card.scrollWidth - card.clientWidth)(document.querySelector(".call-card"))';
  expect(await page.evaluate(tooWide)).toBe(0);
  await page.setViewportSize({ width: 1440, height: 900 });
  const server = await card.getByText('scripted', { exact: true }).boundingBox();
  expect(server?.height).toBeLessThan(30);
  const short = await card.getByText('short', { exact: true }).boundingBox();
  expect(short?.height).toBeLessThan(30);
});
