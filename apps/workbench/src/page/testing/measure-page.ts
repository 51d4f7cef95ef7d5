import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { longestTask, scriptedServerConfig, taskCategories } from '@errand/machine/testing';
import { openPage } from './open-page.ts';

const turns = 3;

/** Milliseconds until the folders of a vault with so many notes are seen, from the moment its page is loaded; the best of some turns. */
export async function measureOpening(notes: number): Promise<number> {
  await using opened = await openPage({ prepare: (folder) => writeNotes(folder, notes) });
  const { page, workbench } = opened;
  const client = await workbench.open();
  // The index of the vault is made in the background.
  const deadline = Date.now() + 60_000;
  while ((await client.get<{ notes: string[] }>('/notes')).notes.length < notes) {
    if (Date.now() > deadline) throw new Error(`The workbench does not show ${notes} notes.`);
    await page.waitForTimeout(100);
  }
  const times: number[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    await page.reload();
    await page.getByRole('treeitem', { name: 'Folder 0' }).waitFor();
    times.push(await page.evaluate(() => performance.now()));
  }
  return Math.min(...times);
}

/** The longest task of a page while all blocks of a note run, in milliseconds of processor time. */
export async function measureRun(blocks: number): Promise<number> {
  const settings = { mcpServers: [scriptedServerConfig()] };
  const text = Array.from({ length: blocks }, (_, at) => block(at)).join('\n');
  await using opened = await openPage(
    { files: { 'n.md': text }, settings },
    { route: '/notes/n.md' },
  );
  const { page } = opened;
  const button = page.locator('.note-actions button', { hasText: `Run all (${blocks})` });
  await button.waitFor();
  const browser = page.context().browser();
  if (browser === null) throw new Error('The page has no browser.');
  await browser.startTracing(page, { categories: [...taskCategories] });
  await button.click();
  await page.waitForFunction(
    (count) => document.querySelectorAll('.call-card .badge.good').length === count,
    blocks,
    { timeout: 120_000, polling: 500 },
  );
  return longestTask((await browser.stopTracing()).toString());
}

function writeNotes(vault: string, notes: number): void {
  for (let at = 0; at < notes; at += 1) {
    const folder = join(vault, `Folder ${at % 10}`);
    if (at < 10) mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `Note ${at}.md`), `# Note ${at}\n`);
  }
}

function block(at: number): string {
  return `## Part ${at}\n\n\`\`\`scripted\ntool: echo\ntext: answer ${at}\n\`\`\`\n`;
}
