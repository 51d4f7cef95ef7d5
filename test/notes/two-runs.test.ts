import { lstatSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { patient, TestVault } from '../end-to-end/errand-process.ts';

test('writes each result once when a note is run twice at the same time', patient, async () => {
  const blocks = Array.from(
    { length: 30 },
    (_, index) => `\`\`\`fix\ntool: sleep\nmilliseconds: ${(index % 10) * 20}\n\`\`\`\n`,
  );
  const note = blocks.join('\nBetween.\n\n');
  using vault = TestVault.trusted({ notes: { 'Note.md': note, 'Alone.md': note } });
  vault.add(vault.scripted());
  const ended = await Promise.all([
    vault.json('run', 'Note.md'),
    vault.json('run', 'Note.md'),
    vault.json('run', 'Alone.md'),
  ]);
  expect(ended.map(({ code }) => code)).toEqual([0, 0, 0]);
  expect(vault.read('Note.md')).toBe(vault.read('Alone.md'));
  expect(vault.read('Note.md').match(/mcp-result/g)).toHaveLength(30);
  expect(readdirSync(vault.folder).sort()).toEqual(['.errand', 'Alone.md', 'Note.md']);
  expect(readdirSync(join(vault.home, 'state/errand/locks'))).toEqual([]);
});

test(
  'a symbolic link stays one, and another name of the vault is the same note',
  patient,
  async () => {
    using vault = TestVault.trusted();
    vault.add(vault.scripted());
    const note = '```fix\ntool: echo\ntext: linked\n```\n';
    writeFileSync(vault.path('Real.md'), note);
    symlinkSync('Real.md', vault.path('Link.md'));
    symlinkSync(vault.folder, join(vault.home, '../other'));
    const [first, second] = await Promise.all([
      vault.errand('run', 'Link.md'),
      vault.errand('run', join(vault.home, '../other/Real.md')),
    ]);
    expect([first.code, second.code]).toEqual([0, 0]);
    expect(lstatSync(vault.path('Link.md')).isSymbolicLink()).toBe(true);
    expect(vault.read('Real.md').match(/mcp-result/g)).toHaveLength(1);
  },
);
