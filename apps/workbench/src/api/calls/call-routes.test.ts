import { scriptedServerConfig } from '@errand/machine/testing';
import { expect, test } from 'vitest';
import type {
  ActivitySnapshot,
  CallAnswer,
  CallDetails,
  Note,
  PastCall,
  Session,
  Tool,
} from '../../contract.ts';
import { openTestWorkbench } from '../testing/test-workbench.ts';

const scripted = scriptedServerConfig();
const settings = { mcpServers: [scripted] };
const path = `/servers/${scripted.id}`;
const block = (tool: string) => `\`\`\`scripted\ntool: ${tool}\n\`\`\`\n`;

test('lists tools with their schemas and a block for each', async () => {
  await using workbench = await openTestWorkbench({ settings });
  const page = await workbench.open();
  const { tools } = await page.get<{ tools: readonly Tool[] }>(`${path}/tools`);
  expect(tools.find(({ name }) => name === 'echo')).toMatchObject({
    description: 'Gives the text back.',
    inputSchema: { required: ['text'] },
    isReadOnly: true,
    isDestructive: false,
    broken: null,
    template: '```scripted\ntool: echo\ntext:  # text\n```',
  });
  expect(
    (await page.get<{ tools: readonly Tool[] }>(`${path}/tools?refresh=1`)).tools,
  ).toHaveLength(tools.length);
  const params = { text: 'a: b\n```\n', filter: { n: [1, 'x'] } };
  const made = await page.send<{ text: string }>('POST', `${path}/block`, { tool: 'echo', params });
  expect(made.text).toMatch(/^````scripted\ntool: echo\ntext: /);
  await workbench.writeNote('n.md', made.text);
  const { blocks } = await page.get<Note>('/note?path=n.md');
  expect(blocks).toMatchObject([{ tool: 'echo', params, problem: null }]);
});

test('calls a tool, and failures are answers', async () => {
  await using workbench = await openTestWorkbench({ settings });
  const page = await workbench.open();
  const call = (tool: string, params: object = {}) =>
    page.send<CallAnswer>('POST', `${path}/call`, { tool, params });
  const good = await call('echo', { text: 'hello' });
  expect(good).toMatchObject({ status: 'success', content: { type: 'text', text: 'hello' } });
  expect(await call('fail')).toMatchObject({ status: 'error', error: { code: 'tool_failed' } });
  expect(await call('none')).toMatchObject({ status: 'error', error: { code: 'tool_not_found' } });
  expect(await call('echo', { text: 3 })).toMatchObject({ error: { code: 'invalid_params' } });
  expect(await call('crash')).toMatchObject({
    error: { code: 'server_unavailable', lastWords: expect.stringContaining('out of cheese') },
  });
  expect(await page.fails('POST', `${path}/call`, { tool: '' })).toMatchObject({ status: 422 });
  const details = await page.get<CallDetails>(`/calls/${good.id}`);
  expect(details).toMatchObject({
    call: { source: 'workbench', server: 'scripted', tool: 'echo', status: 'success' },
    params: { text: 'hello' },
    content: { text: 'hello' },
  });
  expect(await page.fails('GET', '/calls/none')).toMatchObject({ status: 404 });
});

test('shows running calls, and cancels one, or a call whose page was closed', async () => {
  await using workbench = await openTestWorkbench({ settings });
  const page = await workbench.open();
  using events = await page.follow();
  const running = async (count: number) => {
    await expect
      .poll(
        async () => (await page.get<ActivitySnapshot>('/calls')).active.map(({ status }) => status),
        {
          timeout: 15_000,
        },
      )
      .toEqual(Array(count).fill('executing'));
    return (await page.get<ActivitySnapshot>('/calls')).active;
  };
  const body = { tool: 'hang', params: {} };
  const first = page.send<CallAnswer>('POST', `${path}/call`, body);
  const [call] = await running(1);
  expect(call).toMatchObject({ server: 'scripted', tool: 'hang', isOwn: true, note: null });
  await page.send('POST', `/calls/${call?.id}/cancel`);
  expect(await first).toMatchObject({ status: 'cancelled', error: { code: 'cancelled' } });
  expect(await page.fails('POST', `/calls/${call?.id}/cancel`)).toMatchObject({ status: 404 });
  const leaving = new AbortController();
  const second = page.ask(`${path}/call`, { method: 'POST', body, signal: leaving.signal });
  const [left] = await running(1);
  leaving.abort();
  await expect(second).rejects.toThrow();
  const ended = await events.until('call-ended', ({ call }) => call.id === left?.id);
  expect(ended.call).toMatchObject({ status: 'cancelled' });
});

test('shows how far a call is, under the id that its page chose', async () => {
  await using workbench = await openTestWorkbench({ settings });
  const page = await workbench.open();
  using events = await page.follow();
  const id = crypto.randomUUID();
  const body = { id, tool: 'progress', params: {} };
  expect(await page.send<CallAnswer>('POST', `${path}/call`, body)).toMatchObject({ id });
  const { call } = await events.until('call-changed', (event) => event.call.progress !== null);
  expect(call).toMatchObject({ id, progress: { progress: expect.any(Number), total: 3 } });
});

test('says which parameter is wrong', async () => {
  await using workbench = await openTestWorkbench({ settings });
  const page = await workbench.open();
  const body = { tool: 'echo', params: { text: 3 } };
  expect(await page.send<CallAnswer>('POST', `${path}/call`, body)).toMatchObject({
    error: { code: 'invalid_params', fields: { text: expect.stringContaining('expected string') } },
  });
});

test('stops all calls, refuses new ones, and resumes', async () => {
  await using workbench = await openTestWorkbench({ files: { 'n.md': block('hang') }, settings });
  const page = await workbench.open();
  using events = await page.follow();
  await page.send('POST', '/note/run?path=n.md');
  await events.until('call-changed', ({ call }) => call.status === 'executing');
  expect(await page.send<ActivitySnapshot>('POST', '/calls/stop')).toMatchObject({
    isStopped: true,
  });
  expect((await events.until('run-ended')).results).toMatchObject([
    { status: 'cancelled', error: { code: 'stopped', message: 'Execution stopped by user' } },
  ]);
  const body = { tool: 'echo', params: { text: 'x' } };
  expect(await page.send<CallAnswer>('POST', `${path}/call`, body)).toMatchObject({
    error: { code: 'stopped' },
  });
  expect(await page.send<ActivitySnapshot>('POST', '/calls/resume')).toMatchObject({
    isStopped: false,
  });
  expect(await page.send<CallAnswer>('POST', `${path}/call`, body)).toMatchObject({
    status: 'success',
  });
});

test('remembers calls, newest first, and filters them', async () => {
  await using workbench = await openTestWorkbench({ files: { 'n.md': block('fail') }, settings });
  const page = await workbench.open();
  using events = await page.follow();
  await page.send('POST', '/note/run?path=n.md');
  await events.until('run-ended');
  for (const text of ['one', 'two']) {
    await page.send('POST', `${path}/call`, { tool: 'echo', params: { text } });
  }
  const tools = async (query: string) =>
    (await page.get<{ calls: readonly PastCall[] }>(`/calls/history?${query}`)).calls.map(
      ({ tool }) => tool,
    );
  expect(await tools('')).toEqual(['echo', 'echo', 'fail']);
  expect(await tools('status=error')).toEqual(['fail']);
  expect(await tools('source=workbench&status=')).toEqual(['echo', 'echo']);
  expect(await tools('note=n.md')).toEqual(['fail']);
  expect(await tools('server=other')).toEqual([]);
  expect(await page.get('/calls/history?limit=2')).toMatchObject({ isCut: true });
  const [newest] = (await page.get<{ calls: readonly PastCall[] }>('/calls/history?limit=1')).calls;
  expect(await tools(`before=${newest?.id}`)).toEqual(['echo', 'fail']);
  expect(await tools(`before=${newest?.id}&status=error&limit=1`)).toEqual(['fail']);
  expect(await tools('before=unknown')).toEqual([]);
  for (const query of ['limit=0', 'limit=x', 'status=strange']) {
    expect(await page.fails('GET', `/calls/history?${query}`)).toMatchObject({ status: 422 });
  }
});

test("counts a note's calls: warned at 80 %, refused at the limit, reset", async () => {
  await using workbench = await openTestWorkbench({
    files: { 'n.md': block('write'), 'many.md': block('write').repeat(7) },
    settings: { ...settings, mcpSessionLimit: 5 },
  });
  const page = await workbench.open();
  using events = await page.follow();
  const run = async (note: string) => {
    const again = { again: true };
    const { runId } = await page.send<{ runId: string }>('POST', `/note/run?path=${note}`, again);
    return (await events.until('run-ended', (ended) => ended.runId === runId)).results;
  };
  for (let round = 0; round < 4; round += 1) await run('n.md');
  await events.until('notice', ({ notice }) => notice.message.startsWith('4 of 5 calls of n.md'));
  const near = await page.get<Note>('/note?path=n.md');
  expect(near.session).toMatchObject({ executed: 4, limit: 5, level: 'near', note: 'n.md' });
  await run('n.md');
  expect(await run('n.md')).toMatchObject([
    { status: 'refused', error: { code: 'session_limit' } },
  ]);
  const { id } = near.session;
  expect(await page.send<Session>('POST', '/sessions/reset', { id })).toMatchObject({
    executed: 0,
    level: 'ok',
  });
  expect(await run('n.md')).toMatchObject([{ status: 'success' }]);
  expect(await run('many.md')).toMatchObject(Array(7).fill({ status: 'success' }));
  expect(await page.get<ActivitySnapshot>('/calls')).toMatchObject({
    sessions: [{ note: 'n.md' }, { note: 'many.md', executed: 7, level: 'reached' }],
  });
  expect(await page.fails('POST', '/sessions/reset', { id: 'x' })).toMatchObject({ status: 404 });
});

test('a question of a server reaches every page, and the first answer counts', async () => {
  await using workbench = await openTestWorkbench({ settings });
  const page = await workbench.open();
  using events = await page.follow();
  const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } };
  const params = { method: 'elicitation/create', params: { message: 'Who?', requestedSchema } };
  const answer = page.send<CallAnswer>('POST', `${path}/call`, { tool: 'ask', params });
  const { question } = await events.until('question-asked');
  expect(question).toMatchObject({ server: 'scripted', kind: 'form', message: 'Who?' });
  expect(await page.get('/state')).toMatchObject({ questions: [{ id: question.id }] });
  const body = { action: 'accept', content: { name: 'Ines' } };
  await page.send('POST', `/questions/${question.id}`, body);
  expect((await answer).content?.text).toContain('Ines');
  await events.until('question-closed');
  expect(await page.fails('POST', `/questions/${question.id}`, body)).toMatchObject({
    status: 404,
  });
});
