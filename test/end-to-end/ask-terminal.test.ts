import { expect, test } from 'vitest';
import { openAskVault } from './ask-vault.ts';
import { patient } from './errand-process.ts';

const write = { name: 'fix__write', arguments: {} };

test('a person at a terminal is asked, and Ctrl-C there ends it all', patient, async () => {
  await using fixture = await openAskVault([
    { calls: [write] },
    { text: ['Written.'] },
    { calls: [write] },
  ]);
  using asked = fixture.vault.startOnTerminal('errand ask "Write, please."');
  await asked.says(/wants to call fix write[\s\S]*Allow it\? \[y\/N\]/);
  asked.type('y\r');
  expect(await asked.ended).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Written.'),
  });
  using cancelled = fixture.vault.startOnTerminal('errand ask "Again."');
  await cancelled.says(/Allow it\? \[y\/N\]/);
  cancelled.type('\u0003');
  expect(await cancelled.ended).toMatchObject({ code: 130 });
  expect(fixture.calls()).toHaveLength(1);
});

test.each([
  ['a whole line', 'y\r', 'n\r'],
  ['a line without an end', 'y', '\r'],
])('%s typed before a person is asked is no answer', patient, async (_, early, late) => {
  const held = Promise.withResolvers<void>();
  await using fixture = await openAskVault([
    { text: ['I am', ' thinking.'], hold: held.promise, calls: [write] },
    { text: ['Pity.'] },
  ]);
  using asked = fixture.vault.startOnTerminal('errand ask "Write, please."');
  await asked.says(/I am/);
  asked.type(early);
  // The terminal has it when it shows it.
  await asked.says(/I amy/);
  held.resolve();
  await asked.says(/Allow it\? \[y\/N\]/);
  asked.type(late);
  expect(await asked.ended).toMatchObject({ stdout: expect.stringContaining('Pity.') });
  expect(fixture.calls()).toEqual([]);
});

test('Ctrl-C right before a person is asked ends it all', patient, async () => {
  const held = Promise.withResolvers<void>();
  await using fixture = await openAskVault([
    { text: ['I am', '.'], hold: held.promise, calls: [write] },
  ]);
  using asked = fixture.vault.startOnTerminal('errand ask "Write, please."');
  await asked.says(/I am/);
  held.resolve();
  asked.type('\u0003');
  expect(await asked.ended).toMatchObject({ code: 130 });
  expect(fixture.calls()).toEqual([]);
});
