import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { ScriptedVault } from '../../testing/scripted-vault.ts';

/** Longer than anything takes here, also on a busy machine. */
const patience = { timeout: 20_000 };

const hostile = [
  '<img src="x" onerror="window.harm = 1"><script>window.harm = 1</script>',
  '![far](http://far.example/a.png) ![[picture.svg]]',
  '[[Other]] [link](javascript:window.harm=1) %%hidden%% `= this.file.name` `$= window.harm = 1`',
  '<% window.harm = 1 %>',
].join('\n');

function result(header: string, payload: string): string {
  return `\`\`\`\`${header}\n${payload}\n\`\`\`\`\n\n`;
}

const lines = Array.from({ length: 45 }, (_, at) => `a line of text, number ${at}`).join('\n');
const picture =
  '<svg xmlns="http://www.w3.org/2000/svg" width="12" height="6"><script>parent.harm = 1</script></svg>';

test.each(['source', 'preview'] as const)('shows nothing in an answer live (%s)', async (mode) => {
  const all = ['text', 'markdown', 'json', 'image'].map((type) =>
    result(`mcp-result req=1 sum=2 type=${type}`, `${hostile}\n${type}`),
  );
  const error = result('mcp-error code=tool_failed type=text', hostile);
  const json = result('mcp-result type=json', JSON.stringify({ [hostile]: [hostile] }));
  await using vault = await ScriptedVault.open(`${all.join('')}${error}${json}The end.\n`);
  const { page } = vault.obsidian;
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await vault.show(mode);
  const results = page.locator('.errand-result:visible');
  await expect.poll(() => results.count(), patience).toBe(6);
  expect(await results.nth(1).textContent()).toContain(hostile);
  expect(await results.locator('img, script, a, iframe, style, [onerror]').count()).toBe(0);
  expect(asked.filter((url) => !url.startsWith(new URL(page.url()).origin))).toEqual([]);
  expect(await page.evaluate(() => 'harm' in window)).toBe(false);
});

test('shows answers by their type, folds long ones, and opens their files', async () => {
  const long = `${lines}\n${lines}\n… all of it (800 lines, 90000 bytes): Attachments/all.txt`;
  const value = { list: Array.from({ length: 250 }, (_, id) => ({ id })) };
  const note = [
    result('mcp-result type=text', long),
    result('mcp-result type=json', JSON.stringify(value, undefined, 2)),
    result('mcp-result type=json display=collapsed', '{"a": [1, {"b": null}]}'),
    result('mcp-result type=image', 'Attachments/a.svg'),
    result('mcp-error code=server_disabled type=text', 'Server a is disabled'),
    result('mcp-result type=text', ''),
    'The end.\n',
  ].join('');
  await using vault = await ScriptedVault.open(note);
  const { page, harness, home } = vault.obsidian;
  await vault.show('preview');
  const results = page.locator('.errand-result:visible');
  await expect.poll(() => results.count(), patience).toBe(6);

  const text = results.nth(0);
  expect(await text.locator('pre').textContent()).not.toContain('number 44');
  await text.getByRole('button', { name: 'Show more' }).press('Enter');
  expect(await text.locator('pre').textContent()).toBe(`${lines}\n${lines}`);
  await text.getByRole('button', { name: 'Show less' }).press('Enter');
  expect(await text.locator('pre').textContent()).not.toContain('number 44');
  await text.getByRole('link', { name: 'Open all of it' }).click();
  await page.locator('.notice', { hasText: 'Attachments/all.txt is not in this vault.' }).waitFor();

  const tree = results.nth(1);
  expect(await tree.locator('details').count()).toBe(2);
  await tree.locator('summary', { hasText: '250 items' }).press('Enter');
  await expect.poll(() => tree.locator('details').count(), patience).toBe(102);
  await tree.getByRole('button', { name: 'Show more (150 left)' }).press('Enter');
  await expect.poll(() => tree.locator('details').count(), patience).toBe(252);

  const folded = results.nth(2);
  expect(await folded.getByText('2 items').isVisible()).toBe(false);
  await folded.getByText('Answer').press('Enter');
  await folded.getByText('2 items').waitFor();

  const image = results.nth(3);
  expect(await image.textContent()).toContain('Attachments/a.svg is not in this vault.');
  for (const [name, content] of [
    ['a.svg', picture],
    ['all.txt', 'all'],
  ] as const) {
    const path = join(home, 'vault/Attachments', name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    await harness.evaluate((each, file) => each.noticeFile(`Attachments/${file}`), name);
  }
  const shown = image.getByRole('img', { name: 'a.svg' });
  await expect
    .poll(() => shown.evaluate((each) => (each as HTMLImageElement).naturalWidth), patience)
    .toBe(12);
  await text.getByRole('link', { name: 'Open all of it' }).click();
  await expect
    .poll(() => harness.evaluate((each) => each.openedFiles()), patience)
    .toEqual(['Attachments/all.txt']);

  const colours = await results.evaluateAll((all) =>
    all.map((each) => getComputedStyle(each).getPropertyValue('border-inline-start-color')),
  );
  expect(colours[4]).not.toBe(colours[0]);
  expect(await results.nth(4).textContent()).toBe(
    'server_disabledServer a is disabledEnable it in the side view of Errand.',
  );
  expect(await results.nth(5).textContent()).toContain('returned nothing');
  expect(await page.evaluate(() => 'harm' in window)).toBe(false);
});

test('copies an answer unchanged', async () => {
  await using vault = await ScriptedVault.open(`${result('mcp-result type=text', hostile)}End.\n`);
  const { page } = vault.obsidian;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await vault.show('source');
  await page.getByRole('button', { name: 'Copy the answer' }).press('Enter');
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(hostile);
});
