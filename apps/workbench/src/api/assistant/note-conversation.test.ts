import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Conversation } from '../../contract.ts';
import { ask, askBody, ended } from '../testing/ask-assistant.ts';
import { assistantVault } from '../testing/assistant-vault.ts';
import { openTestWorkbench } from '../testing/test-workbench.ts';

const kept = { note: 'Trip.md', isKept: true } as const;

test('a conversation in a note is written there while another program edits the note', async () => {
  const held = Promise.withResolvers<void>();
  await using scripted = await assistantVault(
    [
      { text: ['Take a coat.\n\n', 'And an umbrella.'], hold: held.promise },
      { text: ['Nothing more.'] },
      { text: ['A new one.'] },
    ],
    { 'Trip.md': '# Trip\n\n- shoes\n' },
  );
  await using workbench = await openTestWorkbench(scripted.vault);
  const page = await workbench.open();
  using events = await page.follow();
  const { turn } = await ask(page, 'What is missing?', kept);
  await expect
    .poll(() => workbench.readNote('Trip.md'), { timeout: 15_000 })
    .toContain('Take a coat.');
  const path = join(workbench.folder, 'Trip.md');
  const text = await readFile(path, 'utf8');
  await writeFile(path, `${text.replace('- shoes', '- shoes\n- hat')}\n# Below\n\nmine\n`);
  held.resolve();
  expect(await ended(events, turn)).toMatchObject({ state: 'answered' });
  expect(await workbench.readNote('Trip.md')).toBe(
    '# Trip\n\n- shoes\n- hat\n\n#User : What is missing?\n\n#Claude : Take a coat.\n\nAnd an umbrella.\n\n# Below\n\nmine\n',
  );
  // After a restart the note is all that is known.
  await workbench.stop();
  await workbench.start();
  const later = await workbench.open();
  using news = await later.follow();
  const address = '/assistant/conversation?note=Trip.md&kept=1';
  const read = await later.get<Conversation>(address);
  expect(read).toMatchObject({
    turns: [{ question: 'What is missing?', assistant: 'Claude', startedAt: null }],
    openQuestion: null,
  });
  expect(read.turns[0]?.parts).toEqual([
    { kind: 'text', text: 'Take a coat.\n\nAnd an umbrella.' },
  ]);
  await ended(news, (await ask(later, 'More?', kept)).turn);
  expect((await later.get<Conversation>(address)).turns).toHaveLength(2);
  await later.send('POST', '/assistant/new', kept);
  await ended(news, (await ask(later, 'Something else?', kept)).turn);
  expect(await workbench.readNote('Trip.md')).toContain(
    '#Claude : Nothing more.\n\n#NewChat\n\n#User : Something else?\n\n#Claude : A new one.\n\n# Below',
  );
  expect(scripted.model.requests[2]?.body.messages).toHaveLength(1);
});

test('beside a note the model has its text and the tools of its section, and the note stays as it is', async () => {
  const text =
    '---\nmcp:\n  sections:\n    - heading: Closed\n      server: none\n---\n# Trip\n\nTo Lyon.\n\n# Closed\n';
  await using scripted = await assistantVault([{ text: ['Lyon.'] }, { text: ['Still.'] }], {
    'Trip.md': text,
  });
  await using workbench = await openTestWorkbench(scripted.vault);
  const page = await workbench.open();
  using events = await page.follow();
  const beside = { note: 'Trip.md', isKept: false };
  await ended(events, (await ask(page, 'Where to?', beside)).turn);
  const [first] = scripted.model.requests;
  expect(JSON.stringify(first?.body)).toContain('To Lyon.');
  expect(first?.toolNames).toContain('scripted__echo');
  await ended(events, (await ask(page, 'And here?', { ...beside, line: 11 })).turn);
  expect(scripted.model.requests[1]?.toolNames).toEqual([]);
  expect(await workbench.readNote('Trip.md')).toBe(text);
});

test('beside a note the rules of the section that was asked from count, wherever it moves', async () => {
  const held = Promise.withResolvers<void>();
  const text =
    '---\nmcp:\n  sections:\n    - heading: Closed\n      server: none\n---\n# Trip\n\nTo Lyon.\n\n# Closed\n';
  const calls = [{ name: 'scripted__echo', arguments: { text: 'x' } }];
  await using scripted = await assistantVault(
    [{ text: ['Hm', '.'], hold: held.promise, calls }, { text: ['No.'] }],
    { 'Trip.md': text },
  );
  await using workbench = await openTestWorkbench(scripted.vault);
  const page = await workbench.open();
  using events = await page.follow();
  const { turn } = await ask(page, 'Here?', { note: 'Trip.md', isKept: false, line: 11 });
  await events.until('text-added');
  const longer = text.replace('To Lyon.\n', `To Lyon.\n${'\nMore.\n'.repeat(20)}`);
  await writeFile(join(workbench.folder, 'Trip.md'), longer);
  held.resolve();
  await ended(events, turn);
  expect(scripted.model.requests.map(({ toolNames }) => toolNames)).toEqual([[], []]);
});

test('a question that is open in the note can be answered as it stands', async () => {
  await using scripted = await assistantVault([{ text: ['Yes.'] }], {
    'Trip.md': '#User : Shall I go?\n',
  });
  await using workbench = await openTestWorkbench(scripted.vault);
  const page = await workbench.open();
  using events = await page.follow();
  const address = '/assistant/conversation?note=Trip.md&kept=1';
  expect(await page.get(address)).toMatchObject({ turns: [], openQuestion: 'Shall I go?' });
  const { turn } = await page.send<{ turn: string }>('POST', '/assistant/ask', {
    ...askBody('', kept),
    question: null,
  });
  await ended(events, turn);
  expect(await workbench.readNote('Trip.md')).toBe('#User : Shall I go?\n\n#Claude : Yes.\n');
  expect(await page.get(address)).toMatchObject({ turns: [{}], openQuestion: null });
});

test('ends a turn at once when all calls are stopped, and keeps the text received so far in the note', async () => {
  const never = new Promise<void>(() => {});
  await using scripted = await assistantVault([{ text: ['Half.\n\n', 'More'], hold: never }], {
    'Trip.md': '# Trip\n',
  });
  await using workbench = await openTestWorkbench(scripted.vault);
  const page = await workbench.open();
  using events = await page.follow();
  const hungUp = scripted.model.hungUp();
  const { turn } = await ask(page, 'Tell me.', kept);
  await events.until('text-added');
  await page.send('POST', '/calls/stop');
  expect(await ended(events, turn)).toMatchObject({
    state: 'cancelled',
    message: 'Execution stopped by user',
  });
  await hungUp;
  expect(await workbench.readNote('Trip.md')).toBe(
    '# Trip\n\n#User : Tell me.\n\n#Claude : Half.\n\n*(Stopped here.)*\n',
  );
});

test('ends a turn at shutdown, and keeps the text received so far in the note', async () => {
  const never = new Promise<void>(() => {});
  await using scripted = await assistantVault([{ text: ['Half.\n\n', 'More'], hold: never }], {
    'Trip.md': '# Trip\n',
  });
  await using workbench = await openTestWorkbench(scripted.vault);
  const page = await workbench.open();
  const hungUp = scripted.model.hungUp();
  await ask(page, 'Tell me.', kept);
  await expect.poll(() => workbench.readNote('Trip.md'), { timeout: 15_000 }).toContain('Half.');
  await workbench.stop();
  await hungUp;
  expect(await workbench.readNote('Trip.md')).toContain('#Claude : Half.\n\n*(Stopped here.)*\n');
});
