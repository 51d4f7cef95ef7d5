import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { scriptedServerConfig } from '@errand/machine/testing';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { assistantVault } from '../../api/testing/assistant-vault.ts';
import { openPage } from '../testing/open-page.ts';

const route = '/assistant';
const echo = { name: 'scripted__echo', arguments: { text: 'hello there' } };
const write = { name: 'scripted__write', arguments: {} };

test('a question is asked by keyboard alone: text streams in, the call is a card, usage follows', async () => {
  const held = Promise.withResolvers<void>();
  await using scripted = await assistantVault([
    { text: ['I **look** ', 'for it.'], calls: [echo], hold: held.promise },
    { text: ['It says *hello there*.'], tokens: { input: 1234, output: 7 } },
  ]);
  await using opened = await openPage(scripted.vault);
  const { page, complaints } = opened;
  await page.getByRole('link', { name: 'Assistant' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Ask something' }).waitFor();
  await tabTo(page, 'Your question');
  await page.keyboard.type('What does it');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.type('say?');
  await page.keyboard.press('Enter');
  await page.getByText('What does it\nsay?').waitFor();
  await page.locator('strong').getByText('look').waitFor();
  await page.getByText(/tools of scripted/).waitFor();
  expect(await page.getByText('for it.').count()).toBe(0);
  await page.getByRole('button', { name: 'Stop' }).waitFor();
  held.resolve();
  const card = page.getByRole('region', { name: 'Call: scripted echo' });
  await card.getByText('Answered').waitFor();
  await card.locator('.call-result').getByText('hello there').waitFor();
  await card.locator('dd').getByText('hello there').waitFor();
  await page.locator('em').getByText('hello there').waitFor();
  await page.getByText(/1,244 tokens in, 12 out · 1 call/).waitFor();
  expect(await page.getByLabel('Your question').inputValue()).toBe('');
  await opened.photograph('assistant-free');
  expect(complaints).toEqual([]);
});

test('a call that makes changes is allowed or denied inline by keyboard, and is counted on every page', async () => {
  await using scripted = await assistantVault([
    { calls: [write] },
    { text: ['It is written.'] },
    { calls: [write] },
    { text: ['Then not.'] },
  ]);
  await using opened = await openPage(scripted.vault, { route });
  const { page } = opened;
  await ask(page, 'Write it.');
  const question = page.getByRole('group', { name: 'Allow scripted write?' });
  await question.getByText('Destructive').waitFor();
  await question.getByText('Has a side effect that must happen once.').waitFor();
  await page.getByRole('link', { name: 'Assistant 1 call needs approval' }).waitFor();
  await opened.photograph('assistant-approval');
  await tabTo(page, 'Look at it', 'Shift+Tab');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.getByText('It is written.').waitFor();
  // The focus is where the next question is written.
  await page.keyboard.type('Once more.');
  await page.keyboard.press('Enter');
  await question.waitFor();
  await page.getByRole('button', { name: 'Do not allow' }).click();
  await page.getByText('Then not.').waitFor();
  const cards = page.getByRole('region', { name: 'Call: scripted write' });
  await cards.first().getByText('Answered').waitFor();
  await cards.last().getByText('Not allowed', { exact: true }).waitFor();
  await cards.last().getByText('the person said no').waitFor();
  await expect.poll(() => page.getByRole('link', { name: /needs? approval/ }).count()).toBe(0);
});

test('a turn is stopped in the middle, and goes on when asked to', async () => {
  const never = new Promise<void>(() => {});
  await using scripted = await assistantVault([
    { text: ['First half', ' and more'], hold: never },
    { text: ['Second half.'] },
  ]);
  await using opened = await openPage(scripted.vault, { route });
  const { page } = opened;
  await ask(page, 'Tell me all.');
  await page.getByText('First half').waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('article').getByText('Stopped. The partial answer is kept.').waitFor();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('Second half.').waitFor();
  expect(JSON.stringify(scripted.model.requests[1]?.body)).toContain('First half');
  expect(await page.getByRole('button', { name: 'Continue' }).count()).toBe(0);
});

test('a model that refuses says what to do, and the question is asked again by a button', async () => {
  await using scripted = await assistantVault([
    { status: 401, message: 'invalid x-api-key' },
    { status: 429, message: 'slow down', headers: { 'retry-after': '3600' } },
    { text: ['Here I am.'] },
  ]);
  await using opened = await openPage(scripted.vault, { route });
  const { page } = opened;
  await ask(page, 'Are you there?');
  const answer = page.getByRole('article');
  await answer.getByText(/does not accept the key.*Set the secret "key" in Settings/).waitFor();
  await opened.photograph('assistant-refused');
  await page.getByRole('button', { name: 'Try again' }).click();
  await answer.getByText(/is not accepting more requests now. Wait 3600 s/).waitFor();
  await page.getByRole('button', { name: 'Try again' }).click();
  await answer.getByText('Here I am.').waitFor();
  expect(await page.getByText('Are you there?').count()).toBe(1);
});

test('a page loaded during a turn shows everything, two tabs agree, and a draft is kept', async () => {
  const held = Promise.withResolvers<void>();
  await using scripted = await assistantVault([
    { text: ['Before the call.'], calls: [echo, write] },
    { text: ['And then ', 'the end.'], hold: held.promise },
  ]);
  await using opened = await openPage(scripted.vault, { route });
  const { page } = opened;
  await ask(page, 'Begin.');
  await page.getByRole('button', { name: 'Allow', exact: true }).waitFor();
  await page.reload();
  await page.getByText('Before the call.').waitFor();
  await page.getByRole('region', { name: 'Call: scripted echo' }).getByText('Answered').waitFor();
  const second = await opened.anotherTab();
  await second.getByRole('button', { name: 'Allow', exact: true }).click();
  await page.getByText('And then').waitFor();
  await page.getByLabel('Your question').fill('half a question');
  await page.getByRole('link', { name: 'Notes' }).click();
  await page.getByRole('link', { name: 'Assistant' }).click();
  expect(await page.getByLabel('Your question').inputValue()).toBe('half a question');
  held.resolve();
  for (const tab of [page, second]) {
    await tab.getByText('And then the end.').waitFor();
    await tab.getByText(/2 calls/).waitFor();
  }
  await second.getByRole('button', { name: 'New conversation' }).click();
  await page.getByRole('heading', { name: 'Ask something' }).waitFor();
});

test('beside a note the conversation is kept in it, while another program edits the note', async () => {
  const held = Promise.withResolvers<void>();
  await using scripted = await assistantVault(
    [{ text: ['Take a coat.\n\n', 'And an umbrella.'], hold: held.promise }, { text: ['Free.'] }],
    { 'Trips/Lyon.md': '# Lyon\n\n- shoes\n' },
  );
  await using opened = await openPage(scripted.vault, { route: '/notes/Trips/Lyon.md' });
  const { page, workbench } = opened;
  await page.getByRole('button', { name: 'Ask here' }).click();
  await page.getByRole('region', { name: 'The note' }).getByText('shoes').waitFor();
  await ask(page, 'What is missing?');
  const note = page.getByRole('article', { name: 'Trips/Lyon.md' });
  await note.getByText('Take a coat.').waitFor();
  const file = join(workbench.folder, 'Trips/Lyon.md');
  const text = await readFile(file, 'utf8');
  await writeFile(file, `my line\n\n${text.replace('- shoes', '- shoes\n- hat')}\n# Below\n`);
  await note.getByText('my line').waitFor();
  held.resolve();
  await page.getByText(/tokens in/).waitFor();
  await opened.photograph('assistant-note');
  expect(await workbench.readNote('Trips/Lyon.md')).toBe(
    'my line\n\n# Lyon\n\n- shoes\n- hat\n\n#User : What is missing?\n\n#Claude : Take a coat.\n\nAnd an umbrella.\n\n# Below\n',
  );
  await page.getByRole('checkbox', { name: 'Keep in the note' }).uncheck();
  await page.getByRole('heading', { name: 'Ask something' }).waitFor();
  const before = await workbench.readNote('Trips/Lyon.md');
  await ask(page, 'Only between us.');
  await page.getByText('Free.').waitFor();
  await page.getByText(/tokens in/).waitFor();
  expect(await workbench.readNote('Trips/Lyon.md')).toBe(before);
  await page.getByRole('checkbox', { name: 'Keep in the note' }).check();
  await page.getByRole('region', { name: 'Conversation' }).getByText('What is missing?').waitFor();
});

test('a section is chosen with its tools, and a question that is open in the note is answered there', async () => {
  await using scripted = await assistantVault([{ text: ['Yes.'] }], {
    'n.md':
      '---\nmcp:\n  sections:\n    - heading: Closed\n      server: none\n---\n# Open\n\n# Closed\n\n#User : Shall I?\n',
  });
  await using opened = await openPage(scripted.vault, { route: '/assistant/n.md' });
  const { page, workbench } = opened;
  await page.getByLabel('Section').selectOption('# Closed');
  await page.getByText('The note has a question without an answer:').waitFor();
  await page.getByRole('button', { name: 'Answer it' }).click();
  await page.getByText(/tokens in/).waitFor();
  expect(scripted.model.requests[0]?.toolNames).toEqual([]);
  expect(await workbench.readNote('n.md')).toContain('#User : Shall I?\n\n#Claude : Yes.\n');
});

test('another assistant is chosen, what goes wrong is noticed, and an answer that comes elsewhere is found', async () => {
  await using scripted = await assistantVault([{ calls: [write] }, { text: ['From the other.'] }], {
    'n.md': '# N\n',
  });
  const { vault, model } = scripted;
  const broken = {
    ...scriptedServerConfig({}, { name: 'broken' }),
    localConfig: { command: 'no-such-program' },
  };
  const settings = {
    mcpServers: [...(vault.settings.mcpServers ?? []), broken],
    assistants: [
      ...(vault.settings.assistants ?? []),
      model.assistant('openai', { name: 'Other', model: 'other-model' }),
    ],
  };
  await using opened = await openPage({ ...vault, settings }, { route: '/assistant/n.md?free=1' });
  const { page } = opened;
  await ask(page, 'Write it.');
  await page.getByRole('button', { name: 'Allow', exact: true }).waitFor();
  await page
    .getByText(/no-such-program/)
    .first()
    .waitFor();
  await page.getByRole('link', { name: /^Assistant/ }).click();
  const others = page.getByRole('list', { name: 'Other conversations' });
  await others.getByText('Needs approval').waitFor();
  await page.getByLabel('Assistant').selectOption('Other (other-model)');
  await ask(page, 'And you?');
  await page.getByText('From the other.').waitFor();
  await page.getByRole('article').getByText('other-model').waitFor();
  expect(model.requests.at(-1)?.body.model).toBe('other-model');
  await opened.photograph('assistant-others');
  await others.getByRole('link', { name: 'n' }).click();
  await page.getByRole('group', { name: 'Allow scripted write?' }).waitFor();
});

async function ask(page: Page, question: string): Promise<void> {
  await page.getByLabel('Your question').fill(question);
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
}

/** Presses until what has the focus is called so. */
async function tabTo(page: Page, name: string, key = 'Tab'): Promise<void> {
  for (let pressed = 0; pressed < 40; pressed += 1) {
    await page.keyboard.press(key);
    const focused = await page.evaluate(() => {
      const { activeElement: element } = document;
      const label = element instanceof HTMLTextAreaElement ? element.labels?.[0] : element;
      return label?.textContent?.trim();
    });
    if (focused === name) return;
  }
  throw new Error(`The keyboard does not reach "${name}".`);
}
