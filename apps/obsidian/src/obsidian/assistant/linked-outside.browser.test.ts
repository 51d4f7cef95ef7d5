import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AskVault } from '../../testing/ask-vault.ts';

test('does not send a note that is a link out of the vault', async () => {
  const notes = { 'Plan.md': 'the plan', 'Other.md': 'the other' };
  await using vault = await AskVault.of('#User : What do [[Plan]] and [[Other]] say?\n', {
    script: [{ text: ['Nothing.'] }],
    notes,
  });
  const folder = join(vault.obsidian.home, 'vault');
  const secret = join(vault.obsidian.home, 'credentials');
  writeFileSync(secret, 'key = very-private');
  rmSync(join(folder, 'Plan.md'));
  symlinkSync(secret, join(folder, 'Plan.md'));
  await vault.edit('say?');
  await vault.ask();
  await vault.shows('Nothing.');
  await vault.answered();
  const asked = JSON.stringify(vault.model.requests.map(({ body }) => body));
  expect(asked).toContain('the other');
  expect(asked).not.toContain('very-private');
});

test('neither the log nor an attachment leaves the vault through a link', async () => {
  const large = { name: 'scripted__large', arguments: { bytes: 100_000 } };
  await using vault = await AskVault.of('#User : Draw it.\n', {
    script: [{ calls: [large] }, { text: ['Drawn.'] }],
  });
  const folder = join(vault.obsidian.home, 'vault');
  const outside = join(vault.obsidian.home, 'outside');
  mkdirSync(outside);
  symlinkSync(outside, join(folder, '.errand'));
  symlinkSync(outside, join(folder, 'Attachments'));
  await vault.edit('Draw it.');
  await vault.ask();
  await vault.shows('Drawn.');
  await vault.answered();
  await vault.obsidian.page.getByText('The call log cannot be written').waitFor();
  expect(readdirSync(outside)).toEqual([]);
});
