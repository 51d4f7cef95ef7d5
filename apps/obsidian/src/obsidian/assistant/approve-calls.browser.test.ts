import { expect, test } from 'vitest';
import { AskVault, type AskVaultOptions } from '../../testing/ask-vault.ts';

const write = { name: 'scripted__write', arguments: {} };
const upsert = { name: 'scripted__upsert', arguments: { city: 'London\u202E', days: [1, 2] } };
const done = { text: ['Done.'] };

async function asking(options: AskVaultOptions): Promise<AskVault> {
  const vault = await AskVault.of('#User : q\n', options);
  await vault.edit('#User : q');
  await vault.ask();
  return vault;
}

const callsOf = ({ journal }: AskVault) =>
  journal.flatMap((line) => (line.kind === 'call' ? [line.tool] : []));

test('asks about calls that change something, one after the other', async () => {
  await using vault = await asking({
    script: [{ calls: [upsert, write] }, { calls: [upsert] }, done],
  });
  const { page } = vault.obsidian;
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  expect(await dialog.count()).toBe(1);
  const shown = await dialog.textContent();
  for (const words of [
    'Let Claude call scripted upsert?',
    'note.md',
    'city',
    'London\\u202e',
    'may change',
  ]) {
    expect(shown).toContain(words);
  }
  expect(callsOf(vault)).toEqual([]);
  await vault.press('Allow for this conversation');

  await page.getByText('Let Claude call scripted write?').waitFor();
  await vault.press('Close');

  // The same tool again: it is allowed for this conversation.
  await vault.shows('Done.');
  await vault.answered();
  expect(callsOf(vault)).toEqual(['upsert', 'upsert']);
  const text = await vault.obsidian.text();
  expect(text).toMatch(/tool: write[\s\S]*code=approval_denied[\s\S]*the person said no/);
  expect(JSON.stringify(vault.model.requests[1]?.body)).toContain('the person said no');
});

test('applies an approval once, asks nothing after a stop, and asks again in another conversation', async () => {
  await using vault = await asking({
    script: [{ calls: [write] }, { calls: [write] }, { calls: [write] }],
  });
  const { page } = vault.obsidian;
  await vault.press('Allow once');
  await vault.heard('call');
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await vault.answered();
  expect(callsOf(vault)).toEqual(['write']);
});

test('follows the approval rule of a server', async () => {
  await using allowed = await asking({
    server: { approval: 'allow' },
    script: [{ calls: [write] }, done],
  });
  await allowed.shows('Done.');
  expect(callsOf(allowed)).toEqual(['write']);

  await using denied = await asking({
    server: { approval: 'deny' },
    script: [{ calls: [write] }, done],
  });
  await denied.shows('Done.');
  expect(callsOf(denied)).toEqual([]);
  expect(await denied.obsidian.text()).toContain('code=approval_denied');
  expect(await denied.obsidian.page.getByRole('dialog').count()).toBe(0);
});
