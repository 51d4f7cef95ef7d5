import { expect, test } from 'vitest';
import type {
  ActivitySnapshot,
  AssistantState,
  Conversation,
  SecretList,
  WorkbenchState,
} from '../../contract.ts';
import { ask, askBody, ended, free, statusOf } from '../testing/ask-assistant.ts';
import { assistantVault } from '../testing/assistant-vault.ts';
import { openTestWorkbench } from '../testing/test-workbench.ts';

test('answers a free question with streamed text, which the next one includes', async () => {
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
  expect(await page.fails('POST', '/assistant/ask', askBody('Again'))).toMatchObject({
    status: 409,
  });
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

test('reports a call from its request to its answer, and lists it among all calls', async () => {
  await using scripted = await assistantVault([
    {
      text: ['I ', 'lo', 'ok', '.'],
      calls: [{ name: 'scripted__echo', arguments: { text: 'hello' } }],
    },
    { text: ['Done.'] },
  ]);
  await using workbench = await openTestWorkbench(scripted.vault);
  const page = await workbench.open();
  using events = await page.follow();
  const { turn } = await ask(page, 'Say hello.');
  await ended(events, turn);
  const [stored] = (await page.get<Conversation>('/assistant/conversation')).turns;
  expect(stored?.parts).toMatchObject([
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
  // Whoever only followed knows all words too.
  const words = events.events.flatMap((event) =>
    event.kind === 'text-added' && event.index === 0 ? event.text : [],
  );
  expect(words.join('')).toBe('I look.');
  const part = stored?.parts[1];
  const id = part?.kind === 'call' ? part.call.id : '';
  expect(await page.get(`/calls/${id}`)).toMatchObject({ call: { source: 'ai-autonomous' } });
});

test.for([true, false])(
  'asks before a call that changes something, and the answer is %s',
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
    const [stored] = (await page.get<Conversation>('/assistant/conversation')).turns;
    expect(stored?.parts[0]).toMatchObject({
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

test('stops a turn while it is streaming, calling a tool, or waiting for approval', async () => {
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
  expect((await page.get<ActivitySnapshot>('/calls')).active).toEqual([]);
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
    advice: [{ kind: 'set-secret', name: 'key' }],
  });
  const second = await page.send<{ turn: string }>('POST', '/assistant/ask', {
    ...askBody(''),
    question: null,
  });
  await ended(events, second.turn);
  const { turns } = await page.get<Conversation>('/assistant/conversation');
  expect(turns).toMatchObject([{ question: 'Are you there?', parts: [{ text: 'Now.' }] }]);
  const started = await events.until('turn-started', ({ replaces }) => replaces !== null);
  expect(started.replaces).toBe(first.turn);
  const again = { ...askBody(''), question: null };
  expect(await page.fails('POST', '/assistant/ask', again)).toMatchObject({ status: 422 });
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
  expect(await page.fails('POST', '/assistant/ask', askBody('Hello?'))).toMatchObject({
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

test('refuses an invalid question with a message, and starts nothing', async () => {
  await using scripted = await assistantVault();
  const { settings } = scripted.vault;
  await using bare = await openTestWorkbench({ settings: { ...settings, assistants: [] } });
  const page = await bare.open();
  expect(await page.fails('POST', '/assistant/ask', askBody('Hello?'))).toMatchObject({
    status: 422,
    message: expect.stringContaining('No language model is set up'),
  });
  await using keyless = await openTestWorkbench({ ...scripted.vault, secrets: {} });
  const other = await keyless.open();
  expect(await other.fails('POST', '/assistant/ask', askBody('Hello?'))).toMatchObject({
    code: 'secret_missing',
  });
  expect(await other.get<SecretList>('/secrets')).toMatchObject({ missing: ['key'] });
  for (const [body, status] of [
    [askBody('  '), 422],
    [askBody('x', { note: null, isKept: true }), 422],
    [askBody('x', { note: '../outside.md', isKept: true }), 403],
    [{ ...askBody('x'), assistant: 'Nobody' }, 422],
  ] as const) {
    expect(await other.fails('POST', '/assistant/ask', body)).toMatchObject({ status });
  }
  expect(await other.get<Conversation>('/assistant/conversation')).toMatchObject({ turns: [] });
});
