import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scriptedServerConfig } from '@errand/machine/testing';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openPage } from '../testing/open-page.ts';

const settings = {
  mcpServers: [scriptedServerConfig(), scriptedServerConfig({}, { name: 'other' })],
};
const echo = (text: string) => `\`\`\`scripted\ntool: echo\ntext: ${text}\n\`\`\`\n`;
const route = '/notes/n.md';

test('the whole way: choose a note, run a block, see it run, find the answer in the file', async () => {
  await using opened = await openPage({
    files: { 'Folder/n.md': '# N\n', 'Other.md': '' },
    settings,
  });
  const { page, workbench, complaints } = opened;
  const signal = join(workbench.folder, 'go.txt');
  await workbench.writeNote(
    'Folder/n.md',
    `# N\n\n| a |\n|--:|\n| 1 |\n\n\`\`\`scripted\ntool: wait\nfile: ${signal}\n\`\`\`\n`,
  );
  await page.getByRole('treeitem', { name: 'n', exact: true }).click();
  const card = blockOf(page, 'wait');
  await card.getByText('Never run').waitFor();
  const cell = page.getByRole('cell', { name: '1', exact: true });
  expect(await cell.evaluate((each) => getComputedStyle(each).textAlign)).toMatch(/right$/);
  const hasFocus = () => card.locator(':focus').count();
  await card.getByRole('button', { name: 'Run' }).press('Enter');
  await card.getByText('Running', { exact: true }).waitFor();
  await card.locator('.elapsed').waitFor();
  await expect.poll(hasFocus).toBe(1);
  expect(existsSync(signal)).toBe(false);
  writeFileSync(signal, '');
  await card.getByText('Up to date').waitFor();
  await card.getByText('it is there').waitFor();
  await expect.poll(hasFocus).toBe(1);
  expect(await workbench.readNote('Folder/n.md')).toMatch(/```mcp-result .*\nit is there\n```/);
  await page.getByText('1 of 25 calls').waitFor();
  expect(complaints).toEqual([]);
});

test('an answer that was edited in the file is replaced or kept only after a question', async () => {
  await using opened = await openPage({ files: { 'n.md': echo('first') }, settings }, { route });
  const { page, workbench } = opened;
  const card = blockOf(page, 'echo');
  const edit = async () => {
    const text = await workbench.readNote('n.md');
    await workbench.writeNote('n.md', text.replace(/(mcp-result.*\n).*/, '$1my own words'));
    await card.getByText('Edited by hand').waitFor();
    await card.getByText('my own words').waitFor();
    await card.getByRole('button', { name: 'Run again' }).click();
    return page.getByRole('dialog', { name: 'This answer was edited by hand' });
  };
  await card.getByRole('button', { name: 'Run' }).click();
  await card.getByText('Up to date').waitFor();

  const first = await edit();
  await opened.photograph('notes-edited');
  await first.getByRole('button', { name: 'Cancel' }).click();
  expect(await workbench.readNote('n.md')).toContain('my own words');

  await card.getByRole('button', { name: 'Run again' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Replace it' }).click();
  await card.getByText('Up to date').waitFor();
  expect(await workbench.readNote('n.md')).not.toContain('my own words');

  await (await edit()).getByRole('button', { name: 'Keep mine' }).click();
  await card.getByText('Never run').waitFor();
  await page.locator('pre').getByText('my own words').waitFor();
  expect(await workbench.readNote('n.md')).toContain('```text\nmy own words\n```');
});

test('while calls are stopped a run says so and sends nothing, until they are resumed', async () => {
  await using opened = await openPage({ files: { 'n.md': echo('one') }, settings }, { route });
  const { page, workbench } = opened;
  const client = await workbench.open();
  await client.send('POST', '/calls/stop', {});
  const resume = page.getByRole('button', { name: 'Resume' }).first();
  await resume.waitFor();
  const run = page.getByRole('button', { name: 'Run all (1)' });
  await run.click();
  await page.getByText('Calls are stopped. Resume to run this.').waitFor();
  expect(await workbench.readNote('n.md')).toBe(echo('one'));
  expect(await client.get('/calls/history')).toMatchObject({ calls: [] });
  await resume.click();
  await resume.waitFor({ state: 'detached' });
  await run.click();
  await page.getByText('Up to date').waitFor();
});

test('runs all, then what is stale, and stops one block or everything', async () => {
  const hang = '```scripted\ntool: hang\n```\n';
  const write = '```scripted\ntool: write\n```\n';
  await using opened = await openPage(
    { files: { 'n.md': [echo('one'), echo('two'), hang, write].join('\n') }, settings },
    { route },
  );
  const { page, workbench } = opened;
  await page.getByRole('button', { name: 'Run all (4)' }).click();
  const hanging = blockOf(page, 'hang');
  await hanging.getByText('Running', { exact: true }).waitFor();
  await expect.poll(() => page.getByText('Up to date').count(), { timeout: 15_000 }).toBe(2);
  await blockOf(page, 'write').getByText('Waiting for its turn').waitFor();
  await hanging.getByRole('button', { name: 'Cancel' }).click();
  await hanging.getByText('Stopped').waitFor();
  await blockOf(page, 'write').getByText('Up to date').waitFor();
  expect(await workbench.readNote('n.md')).toMatch(/tool: hang\n```\n\n```scripted\ntool: write/);

  const text = await workbench.readNote('n.md');
  await workbench.writeNote('n.md', text.replace('text: two', 'text: 2'));
  await page.getByText('Out of date').waitFor();
  await page.getByRole('button', { name: 'Run new and changed (2)' }).click();
  await expect.poll(() => page.getByText('Up to date').count(), { timeout: 15_000 }).toBe(3);
  await hanging.getByText('Running', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Cancel all (1)' }).click();
  await hanging.getByText('Stopped').waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Cancel all' }).count()).toBe(0);

  // What could act a second time does so only when somebody says so.
  await workbench.writeNote('n.md', '```scripted\ntool: write\n```\n');
  await page.getByRole('button', { name: 'Run all (1)' }).click();
  await page.getByText('Up to date').waitFor();
  await page.getByRole('button', { name: 'Run all (1)' }).click();
  await page.getByText('Already done. A second call could act a second time.').waitFor();
  await page.getByRole('button', { name: '1 already done: run again' }).click();
  await page.getByText('Already done. A second call').waitFor({ state: 'detached' });
  await page.getByText('Up to date').waitFor();
});

test("the session's limit is warned of, reached, and reset", async () => {
  await using opened = await openPage(
    { files: { 'n.md': echo('one') }, settings: { ...settings, mcpSessionLimit: 5 } },
    { route },
  );
  const { page } = opened;
  const card = blockOf(page, 'echo');
  for (let count = 1; count <= 5; count += 1) {
    await card.getByRole('button', { name: /^(Re-r|R)un/ }).click();
    await page
      .getByText(`${count} of 5 calls`, { exact: count < 4 })
      .first()
      .waitFor();
    await card.getByText('Up to date').waitFor();
    if (count === 4) await page.getByText('4 of 5 calls: near the limit').waitFor();
  }
  await page.getByText('5 of 5 calls: limit reached').waitFor();
  await card.getByRole('button', { name: 'Run again' }).click();
  await card.getByText('Session execution limit reached (5)').waitFor();
  await opened.photograph('notes-limit');
  await page.getByRole('button', { name: 'Reset' }).click();
  await page.getByText('0 of 5 calls').waitFor();
  await card.getByRole('button', { name: 'Run again' }).click();
  await page.getByText('1 of 5 calls').waitFor();
  await card.getByText('Up to date').waitFor();
});

test('a binding changed in the rail is written to the frontmatter, and forbidden blocks say so', async () => {
  await using opened = await openPage(
    { files: { 'n.md': `# N\n\n## Weather\n\n${echo('one')}` }, settings },
    { route },
  );
  const { page, workbench } = opened;
  const rail = page.getByRole('complementary', { name: 'Servers of the sections' });
  const choice = rail.getByRole('combobox', { name: 'Server of ## Weather' });
  await choice.selectOption('other');
  const card = blockOf(page, 'echo');
  await card.getByText('Not allowed here').waitFor();
  await card.getByText(/This section is bound to other/).waitFor();
  expect(await card.getByRole('button', { name: 'Run' }).isDisabled()).toBe(true);
  await rail.getByText("from this note's properties").waitFor();
  expect(await workbench.readNote('n.md')).toMatch(/^---\nmcp:\n {2}sections:\n.*Weather/);
  expect(await choice.inputValue()).toBe('other');
  await rail.getByRole('combobox', { name: 'Server of Whole note' }).selectOption('scripted');
  await rail.getByText('scripted (as above)').waitFor({ state: 'attached' });
  await choice.selectOption('');
  await card.getByText('Never run').waitFor();
  expect(await workbench.readNote('n.md')).toBe(
    `---\nmcp:\n  server: scripted\n---\n# N\n\n## Weather\n\n${echo('one')}`,
  );
});

test('two tabs agree on what runs, what came of it, and what was changed', async () => {
  await using opened = await openPage(
    { files: { 'n.md': `${echo('one')}\n\`\`\`scripted\ntool: hang\n\`\`\`\n` }, settings },
    { route },
  );
  const { page } = opened;
  const second = await opened.anotherTab();
  await blockOf(second, 'echo').getByText('Never run').waitFor();
  await blockOf(page, 'echo').getByRole('button', { name: 'Run' }).click();
  await blockOf(second, 'echo').getByText('Up to date').waitFor();
  await blockOf(second, 'hang').getByRole('button', { name: 'Run' }).click();
  await blockOf(page, 'hang').getByText('Running', { exact: true }).waitFor();
  await blockOf(page, 'hang').getByRole('button', { name: 'Cancel' }).click();
  await blockOf(second, 'hang').getByText('Stopped').waitFor();
  await second.getByText('2 of 25 calls').waitFor();
});

test('mistakes are told before running, and a server that dies shows its last output', async () => {
  const files = {
    'n.md': [
      echo('one'),
      '```scripted\ntool: crash\nwords: out of cheese\n```\n',
      '```scripted\ntool: large\nbytes: many\n```\n',
      '```scripted\ntext: no tool\n```\n',
    ].join('\n'),
  };
  await using opened = await openPage({ files, settings }, { route });
  const { page } = opened;
  await blockOf(page, 'echo').getByRole('button', { name: 'Run' }).click();
  await blockOf(page, 'large').getByText('invalid_params').waitFor();
  const broken = page.getByRole('region', { name: 'Tool block: scripted no tool' });
  await broken.getByText('Cannot run').waitFor();
  await broken.getByText('block_invalid').waitFor();
  await blockOf(page, 'crash').getByRole('button', { name: 'Run' }).click();
  await blockOf(page, 'crash').getByText('Failed', { exact: true }).waitFor();
  await opened.photograph('notes-failed');
  await blockOf(page, 'crash').getByText('Last output', { exact: true }).click();
  await blockOf(page, 'crash').locator('.is-error').getByText('out of cheese').waitFor();
});

function blockOf(page: Page, tool: string) {
  return page.getByRole('region', { name: `Tool block: scripted ${tool}` });
}
