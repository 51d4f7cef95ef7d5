import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AskVault, masked } from '../../testing/ask-vault.ts';

const echo = { name: 'scripted__echo', arguments: { text: '12 °C' } };
const trip = '# Trip\n\n#User : How warm?\n\n# Rest\n\nmine\n';

test('answers the question at the cursor, with calls that can be run again', async () => {
  await using vault = await AskVault.of(trip, {
    script: [
      { text: ['I ', 'look.'], calls: [echo] },
      { text: ['It is 12 °C.\n\n', 'Take a coat.'] },
    ],
  });
  const { obsidian, model } = vault;
  await vault.edit('How warm?');
  await vault.ask();
  await vault.shows('Take a coat.');
  await vault.answered();
  const after = await obsidian.text();
  expect(masked(after)).toBe(`# Trip

#User : How warm?

#Claude : I look.

\`\`\`scripted
tool: echo
text: 12 °C
\`\`\`

\`\`\`mcp-result req=… sum=… type=text
12 °C
\`\`\`

It is 12 °C.

Take a coat.

# Rest

mine
`);
  expect(model.requests[0]?.headers['x-api-key']).toBe('sk-very-secret');
  const [first, second] = model.requests.map(({ body }) => JSON.stringify(body));
  expect(first).toContain('"name":"scripted__echo"');
  expect(first).not.toContain('12 °C');
  expect(second).toMatch(/"type":"tool_result".*12 °C/);

  expect(await vault.undone()).toBe(trip);
  expect(await vault.redone()).toBe(after);

  await vault.hasState('fresh');
  await vault.press('Run again');
  await expect
    .poll(() => vault.journal.filter(({ kind }) => kind === 'call').length, { timeout: 20_000 })
    .toBe(2);
  await vault.hasState('fresh');
  expect(await obsidian.text()).toBe(after);

  const [day = ''] = readdirSync(join(obsidian.home, 'vault/.errand/log')).filter((name) =>
    name.startsWith('calls-'),
  );
  await expect
    .poll(() => obsidian.file(`.errand/log/${day}`), { timeout: 20_000 })
    .toContain('"source":"user-codeblock"');
  const lines = obsidian
    .file(`.errand/log/${day}`)
    .split('\n')
    .flatMap((line) => (line === '' ? [] : JSON.parse(line)));
  expect(lines.slice(0, 3)).toMatchObject([
    {
      source: 'ai-autonomous',
      server: 'Claude',
      tool: 'scripted',
      note: 'note.md',
      status: 'success',
    },
    { source: 'ai-autonomous', server: 'scripted', tool: 'echo', note: 'note.md', line: 3 },
    { source: 'ai-autonomous', server: 'Claude', tool: 'scripted' },
  ]);
});

test('begins a question where there is none, and asks it when it is written', async () => {
  await using vault = await AskVault.of('Text.\n', {
    script: [{ text: ['Because.'] }, { text: ['Also.'] }],
  });
  const { obsidian } = vault;
  await vault.edit('Text.');
  await vault.ask();
  await vault.notice('Write your question, then ask again.');
  expect(await obsidian.text()).toBe('Text.\n\n#User : \n');
  expect(vault.model.requests).toEqual([]);
  await obsidian.page.keyboard.type('Why?');
  await vault.ask();
  await vault.shows('Because.');
  await vault.answered();
  const after = 'Text.\n\n#User : Why?\n\n#Claude : Because.\n';
  expect(await obsidian.text()).toBe(after);

  await obsidian.harness.evaluate((each) => {
    each.pane(0).editor.setSelection({ line: 0, ch: 0 }, { line: 0, ch: 4 });
  });
  await vault.ask();
  await vault.shows('Also.');
  await vault.answered();
  expect(await obsidian.text()).toBe(`${after}\n#User : Text\n\n#Claude : Also.\n`);
  expect(await vault.undone()).toBe(after);
});

test('gives the model the notes that a question links to, and answers in Reading view', async () => {
  await using vault = await AskVault.of('#User : Where does [[Ines]] live?\n', {
    notes: { 'People/Ines.md': 'Ines lives in Porto.' },
    script: [{ text: ['In Porto.'] }],
  });
  await vault.show('preview');
  await vault.ask();
  await expect
    .poll(() => vault.obsidian.file('note.md'), { timeout: 20_000 })
    .toContain('#Claude : In Porto.\n');
  expect(JSON.stringify(vault.model.requests[0]?.body)).toContain('Ines lives in Porto.');
  await vault.answered();
  await vault.shows('In Porto.');
  await vault.ask();
  await vault.notice('Switch to editing');
});
