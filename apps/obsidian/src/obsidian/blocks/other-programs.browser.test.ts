import { expect, test } from 'vitest';
import { ScriptedVault } from '../../testing/scripted-vault.ts';

const wait = (gate: string) =>
  `---\ntags: a\n---\nAbove.\n\n\`\`\`scripted\ntool: wait\nfile: ${gate}\n\`\`\`\n\nBelow.\n`;

test('keeps what is not saved and what another program wrote while it ran', async () => {
  await using vault = await ScriptedVault.open(wait);
  const { obsidian } = vault;
  await vault.show('source');
  await vault.agreeAndRun();
  await vault.heard('call');
  await vault.type('Not saved. ', 'Above.');
  const properties = wait(vault.gate).replace('tags: a', 'tags: b');
  for (const text of [properties, properties.replace('Below.', 'Below, changed.')]) {
    await obsidian.harness.evaluate((each, now) => each.writeFile('note.md', now), text);
  }
  await expect.poll(() => obsidian.text(), { timeout: 20_000 }).toContain('Below, changed.');
  vault.openGate();
  await vault.hasState('fresh');
  await obsidian.harness.evaluate((each) => each.pane(0).save());
  expect(obsidian.file('note.md')).toMatch(
    /^---\ntags: b\n---\nNot saved\. Above\.\n\n```scripted\n[^`]*```\n\n```mcp-result [^\n]*\nit is there\n```\n\nBelow, changed\.\n$/,
  );
});

test('finds its block in a closed note that another program changed', async () => {
  await using vault = await ScriptedVault.open(wait);
  const { obsidian } = vault;
  await vault.show('preview');
  await vault.agreeAndRun();
  await vault.heard('call');
  const other = wait(vault.gate).replace('Above.', 'Above, changed.\n\nMore.');
  await obsidian.harness.evaluate(async (each, text) => {
    each.close(0);
    each.delayEvents(2_000);
    await each.writeFile('note.md', text);
  }, other);
  vault.openGate();
  await expect
    .poll(() => obsidian.file('note.md'), { timeout: 20_000 })
    .toMatch(
      /More\.\n\n```scripted\n[^`]*```\n\n```mcp-result [^\n]*\nit is there\n```\n\nBelow\.\n$/,
    );
});

test('keeps the line ends and the byte order mark of a note', async () => {
  const text = '\uFEFFAbove.\n\n```scripted\ntool: echo\ntext: hello\n```\n\nBelow.\n';
  await using vault = await ScriptedVault.open(text.replaceAll('\n', '\r\n'));
  const { obsidian } = vault;
  await vault.show('preview');
  await vault.agreeAndRun();
  await vault.hasState('fresh');
  const after = obsidian.file('note.md');
  expect(after).toMatch(/^\uFEFFAbove\.\r\n/);
  expect(after).toContain('\r\nhello\r\n```\r\n\r\nBelow.\r\n');
  expect(after.replaceAll('\r\n', '')).not.toContain('\n');
});
