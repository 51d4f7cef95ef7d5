import { writeFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { patient, TestVault } from '../end-to-end/errand-process.ts';

const echo = (text: string) => `\`\`\`fix\ntool: echo\ntext: ${text}\n\`\`\`\n`;

test('every state that a block can have is shown', patient, async () => {
  const texts = ['fresh', 'stale', 'edited'].map(echo);
  const broken = '```fix\ntext: no tool\n```\n';
  using vault = openVault([...texts, '```fix\ntool: fail\n```\n', broken].join('\n'));
  await vault.errand('run', 'Note.md');
  const text = vault.read('Note.md').replace('text: stale', 'text: changed');
  writeFileSync(
    vault.path('Note.md'),
    `${text.replace('\nedited\n```', '\nmine\n```')}\n${echo('new')}`,
  );
  const { code, json } = await vault.json('blocks', 'Note.md');
  expect(code).toBe(1);
  const { blocks } = json as { readonly blocks: readonly { readonly state: string }[] };
  expect(blocks.map(({ state }) => state)).toEqual([
    'fresh',
    'stale',
    'edited',
    'failed',
    'invalid',
    'new',
  ]);
});

test(
  'on a terminal a line for each block shows that it waits, runs, and how it ended',
  patient,
  async () => {
    using vault = openVault('');
    const go = vault.path('go');
    const wait = `\`\`\`fix\ntool: wait\nfile: ${go}\n\`\`\`\n`;
    writeFileSync(vault.path('Note.md'), `${wait}\n${echo('after')}`);
    using errand = vault.startOnTerminal('errand run --concurrency 1 Note.md');
    await errand.says(/line 1 +fix wait +running +\d/);
    await errand.says(/line 6 +fix echo +waiting for its turn/);
    writeFileSync(go, '');
    const { code, stdout } = await errand.ended;
    expect(code).toBe(0);
    const shown = stripVTControlCharacters(stdout);
    // Nothing is drawn any more below the report.
    expect(shown).toMatch(
      /line 1 +fix wait +done +\d.*\r\n.*line 6 +fix echo +done +\d.*\r\n2 done\. The note has changed\.\r\n$/,
    );
  },
);

function openVault(note: string): TestVault {
  const vault = TestVault.trusted({ notes: { 'Note.md': note } });
  return vault.add(vault.scripted());
}
