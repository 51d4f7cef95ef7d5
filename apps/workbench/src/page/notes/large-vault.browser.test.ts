import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scriptedServerConfig } from '@errand/machine/testing';
import { expect, test } from 'vitest';
import { openPage } from '../testing/open-page.ts';

const settings = { mcpServers: [scriptedServerConfig()] };

test('10,000 notes are listed, scrolled and searched', async () => {
  await using opened = await openPage({ files: { 'All/Note 0.md': '' } });
  const { page, workbench } = opened;
  for (let folder = 0; folder < 10; folder += 1) {
    const path = join(workbench.folder, folder === 0 ? 'All' : `Folder ${folder}`);
    mkdirSync(path, { recursive: true });
    for (let note = 0; note < 1_000; note += 1) {
      writeFileSync(join(path, `Note ${note}.md`), `# Note ${note} of ${folder}\n`);
    }
  }
  const client = await workbench.open();
  await expect
    .poll(async () => (await client.get<{ notes: string[] }>('/notes')).notes.length, {
      timeout: 20_000,
    })
    .toBe(10_000);
  await page.reload();
  await page.getByRole('treeitem', { name: 'All' }).click();
  await page.getByRole('treeitem', { name: 'Note 0' }).first().waitFor();
  expect(await page.getByRole('treeitem').count()).toBeLessThan(100);
  await page.getByRole('tree').focus();
  await page.keyboard.press('End');
  await page.getByRole('treeitem', { name: 'Folder 9' }).waitFor();
  await opened.photograph('notes-10000');
  await page.getByRole('searchbox', { name: 'Search notes' }).fill('note 777 of 4');
  await page.getByRole('list', { name: 'Notes by text' }).getByRole('link').first().click();
  await page.getByRole('heading', { name: 'Note 777 of 4' }).waitFor();
  await opened.photograph('notes-search');
  expect(page.url()).toContain('line=1');
});

test('a note with 500 blocks runs all of them', async () => {
  const block = (index: number) =>
    `## Part ${index}\n\n\`\`\`scripted\ntool: echo\ntext: answer ${index}\n\`\`\`\n`;
  const text = Array.from({ length: 500 }, (_, index) => block(index)).join('\n');
  await using opened = await openPage(
    { files: { 'n.md': text }, settings },
    { route: '/notes/n.md' },
  );
  const { page, workbench } = opened;
  await page.getByText('Part 499').first().waitFor({ state: 'attached' });
  // Finding by role would keep the page busy for seconds itself.
  await page.locator('.note-actions button', { hasText: 'Run all (500)' }).click();
  await expect
    .poll(() => page.locator('.call-card .badge.good').count(), { timeout: 50_000 })
    .toBe(500);
  expect((await workbench.readNote('n.md')).match(/^answer \d+$/gm)).toHaveLength(500);
});
