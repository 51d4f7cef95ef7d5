import { expect, test } from 'vitest';
import { ScriptedVault } from '../testing/scripted-vault.ts';

const block = (text: string) => `\`\`\`scripted\ntool: echo\ntext: ${text}\n\`\`\`\n`;

test('asks one question for two runs of an unapproved server', async () => {
  await using vault = await ScriptedVault.open(`${block('one')}\n${block('two')}`);
  await vault.show('source');
  const agree = vault.obsidian.page.getByRole('button', { name: 'Agree and run' });
  await vault.putCursor(2);
  await vault.command('Run block');
  await agree.waitFor();
  await vault.obsidian.page.getByText('in an empty folder outside the vault').waitFor();
  await vault.putCursor(7);
  await vault.command('Run block');
  await vault.command('Run note');
  expect(await agree.count()).toBe(1);
  await agree.click();
  await expect
    .poll(async () => (await vault.obsidian.text()).match(/^```mcp-result/gm), { timeout: 20_000 })
    .toHaveLength(2);
  expect(await agree.count()).toBe(0);
});
