import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { localServer, textResult } from '@errand/host/testing';
import { openNoteFolder } from '@errand/machine/node';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { noteTurn } from '../testing/note-turn.ts';
import { call, openTurnFixture, readTool } from '../testing/turn-fixture.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'errand-typing-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** Another program saves the note: with a line above everything, and one below it. */
async function typeElsewhere(file: string, number: number): Promise<void> {
  const program = `
    const { readFileSync, writeFileSync, renameSync } = require('node:fs');
    const [file, number] = process.argv.slice(1);
    const text = readFileSync(file, 'utf8');
    writeFileSync(file + '.tmp', 'above ' + number + '\\n' + text + 'below ' + number + '\\n');
    renameSync(file + '.tmp', file);`;
  await promisify(execFile)(process.execPath, ['-e', program, file, String(number)]);
}

test('loses nothing that another process writes above and below the answer', async () => {
  const file = join(folder, 'Trip.md');
  await writeFile(file, '# Trip\n\n#User : How warm?\n\n# Rest\n');
  const gates = [1, 2, 3].map(() => Promise.withResolvers<void>());
  await using fixture = await openTurnFixture({
    script: [
      {
        text: ['First.\n\n', 'Second.\n\n'],
        hold: gates[0]?.promise,
        calls: [call('weather__forecast')],
      },
      {
        text: ['Third.\n\n', 'Fourth.\n\n'],
        hold: gates[1]?.promise,
        calls: [call('weather__forecast', { city: 'Rome' })],
      },
      { text: ['Fifth.\n\n', 'Sixth.'], hold: gates[2]?.promise },
    ].map(({ hold, ...step }) => ({ ...step, ...(hold && { hold }) })),
    servers: [localServer('weather')],
    settings: {
      assistants: [{ name: 'Claude', provider: 'anthropic', model: 'm', key: `\${secret:key}` }],
    },
    behaviours: {
      weather: { tools: [readTool('forecast')], call: async () => textResult('12 °C') },
    },
  });
  const notes = openNoteFolder(folder, join(folder, 'locks'));
  const answering = noteTurn(fixture, { notes });
  for (const [index, word] of ['First.', 'Third.', 'Fifth.'].entries()) {
    await expect.poll(() => readFile(file, 'utf8'), { timeout: 20_000 }).toContain(word);
    await typeElsewhere(file, index);
    gates[index]?.resolve();
  }
  expect(await answering).toMatchObject({ end: { state: 'answered' }, kept: null });
  const after = (await readFile(file, 'utf8')).replace(/(req|sum)=[0-9a-f]{10}/g, '$1=…');
  const block = (city: string) =>
    `\`\`\`weather\ntool: forecast\ncity: ${city}\n\`\`\`\n\n\`\`\`mcp-result req=… sum=… type=text\n12 °C\n\`\`\``;
  expect(after).toBe(
    [
      'above 2\nabove 1\nabove 0\n# Trip',
      '#User : How warm?',
      '#Claude : First.',
      'Second.',
      block('London'),
      'Third.',
      'Fourth.',
      block('Rome'),
      'Fifth.',
      'Sixth.',
      '# Rest\nbelow 0\nbelow 1\nbelow 2\n',
    ].join('\n\n'),
  );
});
