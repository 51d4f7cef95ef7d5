import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scriptedServerConfig } from '@errand/machine/testing';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openPage } from '../testing/open-page.ts';

const settings = { mcpServers: [scriptedServerConfig()] };

test('10,000 notes open in under 1.5 s, and are scrolled and searched', async () => {
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
  const times: number[] = [];
  for (let turn = 0; turn < 3; turn += 1) {
    await page.reload();
    await page.getByRole('treeitem', { name: 'Folder 9' }).waitFor();
    times.push(await page.evaluate(() => performance.now()));
  }
  console.log('10,000 notes, ms until they are seen:', times.map(Math.round));
  // The machine has other work too; one of three turns shows what it takes.
  expect(Math.min(...times)).toBeLessThan(1_500);

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

test('a note with 500 blocks stays responsive while all of them run', async () => {
  const block = (index: number) =>
    `## Part ${index}\n\n\`\`\`scripted\ntool: echo\ntext: answer ${index}\n\`\`\`\n`;
  const text = Array.from({ length: 500 }, (_, index) => block(index)).join('\n');
  await using opened = await openPage(
    { files: { 'n.md': text }, settings },
    { route: '/notes/n.md' },
  );
  const { page, workbench } = opened;
  await page.getByText('Part 499').first().waitFor({ state: 'attached' });
  await beginHeartbeat(page);
  // Finding by role would keep the page busy for seconds itself.
  await page.locator('.note-actions button', { hasText: 'Run all (500)' }).click();
  await expect
    .poll(() => page.locator('.call-card .badge.good').count(), { timeout: 50_000 })
    .toBe(500);
  const longest = await longestPause(page);
  console.log('500 blocks, longest pause of the page in ms:', longest);
  expect(longest).toBeLessThan(3_000);
  expect((await workbench.readNote('n.md')).match(/^answer \d+$/gm)).toHaveLength(500);
});

/** Counts how long the page does nothing else at a time. */
function beginHeartbeat(page: Page): Promise<void> {
  return page.evaluate(() => {
    let last = performance.now();
    let longest = 0;
    setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
      document.documentElement.dataset.longest = String(Math.round(longest));
    }, 20);
  });
}

async function longestPause(page: Page): Promise<number> {
  return Number(await page.evaluate(() => document.documentElement.dataset.longest));
}
