import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type {
  Ask,
  AssistantState,
  CallState,
  Conversation,
  SecretList,
  TurnEnd,
  TurnStarted,
  WorkbenchState,
} from '../../contract.ts';
import { assistantVault } from '../testing/assistant-vault.ts';
import type { EventFollower, TestClient } from '../testing/test-client.ts';
import { openTestWorkbench } from '../testing/test-workbench.ts';

const free = { note: null, isKept: false } as const;
const kept = { note: 'Trip.md', isKept: true } as const;

test('a free question is answered with streamed text, and the next one knows of it', async () => {
  const held = Promise.withResolvers<void>();
  await using scripted = await assistantVault([
    { text: ['It is ', 'warm.'], hold: held.promise, tokens: { input: 30, output: 4 } },
    { text: ['I said it.'] },
  ]);
  await using workbench = await openTestWorkbench(scripted.vault);
  const page = await workbench.open();
  using events = await page.follow();
  const { conversation, turn } = await ask(page, 'How warm is it?');
  await events.until('text-added', ({ text }) => text === 'It is ');
  const middle = await page.get<Conversation>('/assistant/conversation');
  expect(middle).toMatchObject({
    id: conversation,
    turns: [{ id: turn, question: 'How warm is it?', assistant: 'Claude', model: 'scripted' }],
  });
  expect(middle.turns[0]).toMatchObject({ round: 1, end: null });
  expect(middle.turns[0]?.parts).toEqual([{ kind: 'text', text: 'It is ' }]);
  expect(middle.turns[0]?.tools).toContain('scripted__echo');
  const { assistant } = await page.get<WorkbenchState>('/state');
  expect(assistant.conversations).toMatchObject([{ id: conversation, isRunning: true }]);
  expect(await page.fails('POST', '/assistant/ask', wish('Again'))).toMatchObject({ status: 409 });
  held.resolve();
  expect(await ended(events, turn)).toMatchObject({
    state: 'answered',
    message: null,
    tokens: { input: 30, output: 4 },
  });
  const second = await ask(page, 'What did you say?');
  await ended(events, second.turn);
  expect(JSON.stringify(scripted.model.requests[1]?.body)).toContain('It is warm.');
  const { turns } = await page.get<Conversation>('/assistant/conversation');
  expect(turns.map(({ parts }) => parts)).toEqual([
    [{ kind: 'text', text: 'It is warm.' }],
    [{ kind: 'text', text: 'I said it.' }],
  ]);
  await page.send('POST', '/assistant/new', free);
  await events.until('conversation-cleared');
  expect((await page.get<Conversation>('/assistant/conversation')).turns).toEqual([]);
});

test('a call is told from its asking to its answer, and can be looked up among all calls', async () => {
  await using scripted = await assistantVault([
    { text: ['I look.'], calls: [{ name: 'scripted__echo', arguments: { text: 'hello' } }] },
    { text: ['Done.'] },
  ]);
  await using workbench = await openTestWorkbench(scripted.vault);
  const page = await workbench.open();
  using events = await page.follow();
  const { turn } = await ask(page, 'Say hello.');
  await ended(events, turn);
  const [told] = (await page.get<Conversation>('/assistant/conversation')).turns;
  expect(told?.parts).toMatchObject([
    { kind: 'text', text: 'I look.' },
    {
      kind: 'call',
      call: {
        server: 'scripted',
        tool: 'echo',
        params: { text: 'hello' },
        status: 'success',
        approval: null,
        content: { text: 'hello' },
      },
    },
    { kind: 'text', text: 'Done.' },
  ]);
  const part = told?.parts[1];
  const id = part?.kind === 'call' ? part.call.id : '';
  expect(await page.get(`/calls/${id}`)).toMatchObject({ call: { source: 'ai-autonomous' } });
});

test.for([true, false])(
  'what changes something waits for a person, whose word is %s',
  async (isAllowed) => {
    await using scripted = await assistantVault([
      { calls: [{ name: 'scripted__write', arguments: {} }] },
      { text: ['As you say.'] },
    ]);
    await using workbench = await openTestWorkbench(scripted.vault);
    const page = await workbench.open();
    using events = await page.follow();
    const { turn } = await ask(page, 'Write it.');
    const { part } = await events.until(
      'part-changed',
      (event) => event.part.kind === 'call' && event.part.call.status === 'waiting',
    );
    expect(part).toMatchObject({
      call: { tool: 'write', approval: { isDestructive: true, isAllowed: null } },
    });
    const { conversations } = await page.get<AssistantState>('/assistant');
    expect(conversations).toMatchObject([{ waiting: 1 }]);
    const call = part.kind === 'call' ? part.call.id : '';
    await page.send('POST', '/assistant/answer', { call, isAllowed });
    await ended(events, turn);
    const [told] = (await page.get<Conversation>('/assistant/conversation')).turns;
    expect(told?.parts[0]).toMatchObject({
      call: { status: isAllowed ? 'success' : 'denied', approval: { isAllowed } },
    });
    expect(await page.fails('POST', '/assistant/answer', { call, isAllowed })).toMatchObject({
      status: 404,
    });
    expect(JSON.stringify(scripted.model.requests[1]?.body)).toContain(
      isAllowed ? 'written' : 'the person said no',
    );
  },
);

test('a turn is stopped in the middle of words, of a call, and of a question to the person', async () => {
  const never = new Promise<void>(() => {});
  await using scripted = await assistantVault([
    { text: ['One ', 'two'], hold: never },
    { calls: [{ name: 'scripted__sleep', arguments: { milliseconds: 600_000 } }] },
    { calls: [{ name: 'scripted__write', arguments: {} }] },
  ]);
  await using workbench = await openTestWorkbench(scripted.vault);
  const page = await workbench.open();
  using events = await page.follow();
  for (const isThere of [
    () => events.until('text-added'),
    () => events.until('part-changed', ({ part }) => statusOf(part) === 'executing'),
    () => events.until('part-changed', ({ part }) => statusOf(part) === 'waiting'),
  ]) {
    const { conversation, turn } = await ask(page, 'Begin.');
    await isThere();
    await page.send('POST', '/assistant/stop', { conversation });
    expect(await ended(events, turn)).toMatchObject({ state: 'cancelled' });
  }
  const { turns } = await page.get<Conversation>('/assistant/conversation');
  expect(turns.map(({ parts }) => parts.map((part) => statusOf(part) ?? part))).toEqual([
    [{ kind: 'text', text: 'One ' }],
    ['cancelled'],
    ['cancelled'],
  ]);
  expect((await page.get<CallState>('/calls')).active).toEqual([]);
});

test('a model that refuses says why, and the same question can be asked again', async () => {
  await using scripted = await assistantVault([
    { status: 401, message: 'bad key' },
    { text: ['Now.'] },
  ]);
  await using workbench = await openTestWorkbench(scripted.vault);
  const page = await workbench.open();
  using events = await page.follow();
  const first = await ask(page, 'Are you there?');
  expect(await ended(events, first.turn)).toMatchObject({
    state: 'failed',
    code: 'key_refused',
    message: expect.stringContaining('errand secrets set key'),
  });
  const second = await page.send<TurnStarted>('POST', '/assistant/ask', {
    ...wish(''),
    question: null,
  });
  await ended(events, second.turn);
  const { turns } = await page.get<Conversation>('/assistant/conversation');
  expect(turns).toMatchObject([{ question: 'Are you there?', parts: [{ text: 'Now.' }] }]);
  const started = await events.until('turn-started', ({ replaces }) => replaces !== null);
  expect(started.replaces).toBe(first.turn);
  const again = { ...wish(''), question: null };
  expect(await page.fails('POST', '/assistant/ask', again)).toMatchObject({ status: 422 });
});

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

test('a question that is open in the note can be answered as it stands', async () => {
  await using scripted = await assistantVault([{ text: ['Yes.'] }], {
    'Trip.md': '#User : Shall I go?\n',
  });
  await using workbench = await openTestWorkbench(scripted.vault);
  const page = await workbench.open();
  using events = await page.follow();
  const address = '/assistant/conversation?note=Trip.md&kept=1';
  expect(await page.get(address)).toMatchObject({ turns: [], openQuestion: 'Shall I go?' });
  const { turn } = await page.send<TurnStarted>('POST', '/assistant/ask', {
    ...wish('', kept),
    question: null,
  });
  await ended(events, turn);
  expect(await workbench.readNote('Trip.md')).toBe('#User : Shall I go?\n\n#Claude : Yes.\n');
  expect(await page.get(address)).toMatchObject({ turns: [{}], openQuestion: null });
});

test('an assistant that came with the vault is not asked before a person agreed to where it sends things', async () => {
  await using scripted = await assistantVault([{ text: ['Hello.'] }]);
  await using workbench = await openTestWorkbench({ ...scripted.vault, strangers: ['Claude'] });
  const page = await workbench.open();
  using events = await page.follow();
  const { assistants } = await page.get<AssistantState>('/assistant');
  expect(assistants).toMatchObject([
    { name: 'Claude', verdict: 'new', sendsTo: scripted.model.url, key: `\${secret:key}` },
  ]);
  expect(await page.fails('POST', '/assistant/ask', wish('Hello?'))).toMatchObject({
    status: 403,
    code: 'untrusted',
  });
  expect(scripted.model.requests).toEqual([]);
  const agree = (seen = '') => ({ name: 'Claude', seen });
  expect(await page.fails('POST', '/assistant/trust', agree('other'))).toMatchObject({
    status: 409,
  });
  await page.send('POST', '/assistant/trust', agree(assistants[0]?.seen));
  await events.until('assistants-changed', (event) => event.assistants[0]?.verdict === 'trusted');
  await ended(events, (await ask(page, 'Hello?')).turn);
});

test('what cannot be asked is refused in words, and nothing begins', async () => {
  await using scripted = await assistantVault();
  const { settings } = scripted.vault;
  await using bare = await openTestWorkbench({ settings: { ...settings, assistants: [] } });
  const page = await bare.open();
  expect(await page.fails('POST', '/assistant/ask', wish('Hello?'))).toMatchObject({
    status: 422,
    message: expect.stringContaining('No language model is set up'),
  });
  await using keyless = await openTestWorkbench({ ...scripted.vault, secrets: {} });
  const other = await keyless.open();
  expect(await other.fails('POST', '/assistant/ask', wish('Hello?'))).toMatchObject({
    code: 'secret_missing',
  });
  expect(await other.get<SecretList>('/secrets')).toMatchObject({ missing: ['key'] });
  for (const [body, status] of [
    [wish('  '), 422],
    [wish('x', { note: null, isKept: true }), 422],
    [wish('x', { note: '../outside.md', isKept: true }), 403],
    [{ ...wish('x'), assistant: 'Nobody' }, 422],
  ] as const) {
    expect(await other.fails('POST', '/assistant/ask', body)).toMatchObject({ status });
  }
  expect(await other.get<Conversation>('/assistant/conversation')).toMatchObject({ turns: [] });
});

test('ending the program ends a turn, and what had come stands in the note', async () => {
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

function wish(question: string, place: Partial<Ask> = free): Ask {
  return { ...free, line: null, assistant: null, question, ...place };
}

function ask(page: TestClient, question: string, place: Partial<Ask> = free): Promise<TurnStarted> {
  return page.send('POST', '/assistant/ask', wish(question, place));
}

async function ended(events: EventFollower, turn: string): Promise<TurnEnd | null> {
  const isEnd = (event: { readonly turn: string; readonly change: { readonly end: unknown } }) =>
    event.turn === turn && event.change.end !== null;
  const { change } = await events.until('turn-changed', isEnd);
  return change.end;
}

function statusOf(part: Conversation['turns'][number]['parts'][number]): string | undefined {
  return part.kind === 'call' ? part.call.status : undefined;
}
