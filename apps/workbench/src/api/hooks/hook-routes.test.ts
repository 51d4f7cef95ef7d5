import { scriptedServerConfig } from '@errand/machine/testing';
import { expect, test } from 'vitest';
import type { HookPreview, HookRunBrief, HookView } from '../../contract.ts';
import { openTestWorkbench } from '../testing/test-workbench.ts';

const scripted = scriptedServerConfig();
const settings = { mcpServers: [scripted] };
const manual = { kind: 'manual' };
const call = (value: string, toolName = 'echo') => ({
  type: 'mcp',
  parameters: {
    serverId: scripted.id,
    toolName,
    parameterMappings: [{ toolParam: 'text', source: 'template', value }],
  },
});
const hook = (name: string, rest: object = {}) => ({
  id: name.toLowerCase(),
  name,
  trigger: manual,
  actions: [call('hello')],
  ...rest,
});

interface List {
  readonly hooks: readonly HookView[];
  readonly problems: readonly { readonly line: number; readonly hookName?: string }[];
}

test('hooks are listed, switched, run, found in the log, and removed; pages hear of each', async () => {
  const hooks = [hook('One'), { id: 'x', name: 'Broken', trigger: { kind: 'party' } }];
  await using workbench = await openTestWorkbench({ settings, hooks });
  const client = await workbench.open();
  using events = await client.follow();
  expect(await client.get<List>('/hooks')).toMatchObject({
    hooks: [{ hook: { name: 'One', enabled: true }, verdict: 'trusted' }],
    problems: [
      { hookName: 'Broken', line: 31 },
      { hookName: 'Broken', line: 27 },
    ],
  });
  const { id } = await client.send<HookRunBrief>('POST', '/hooks/entry/one/run');
  const isEnded = ({ runs }: { readonly runs: readonly HookRunBrief[] }) =>
    runs.some((run) => run.id === id && run.status === 'success');
  await events.until('hook-runs-changed', isEnded);
  expect(await client.get(`/hooks/runs/${id}`)).toMatchObject({
    actions: [{ status: 'success', parameterResolutions: { text: 'hello' } }],
  });
  expect(await client.get('/hooks/runs?hook=one&limit=5')).toMatchObject({ runs: [{ id }] });
  await client.send('POST', `/hooks/runs/${id}/rerun`);
  await client.send('POST', '/hooks/entry/one/enabled', { enabled: false });
  await events.until('hooks-changed');
  expect(await client.get('/hooks/entry/one/why')).toMatchObject({ isEnabled: false });
  expect(await client.get('/hooks/entry/one/test')).toMatchObject({ wouldRun: true });
  await client.send('DELETE', '/hooks/entry/one');
  expect((await client.get<List>('/hooks')).hooks).toEqual([]);
  expect(await client.fails('GET', '/hooks/runs?limit=9999')).toMatchObject({ status: 422 });
});

test('a hook is previewed while it is written, and stored once nothing is wrong with it', async () => {
  await using workbench = await openTestWorkbench({ settings, hooks: [] });
  const client = await workbench.open();
  expect(await client.get('/hooks/servers')).toMatchObject({
    servers: [
      {
        name: 'scripted',
        tools: expect.arrayContaining([expect.objectContaining({ name: 'echo' })]),
      },
    ],
  });
  const { id: _, ...draft } = hook('', { actions: [call('{{ brunch }}')] });
  const preview = await client.send<HookPreview>('POST', '/hooks/preview', { draft });
  expect(preview).toMatchObject({
    mistakes: { name: 'Write a name.' },
    actions: [{ problems: [expect.stringContaining('brunch')] }],
  });
  expect(await client.fails('POST', '/hooks', { hook: draft })).toMatchObject({
    status: 422,
    fields: { name: 'Write a name.' },
  });
  const saved = await client.send<HookView>('POST', '/hooks', { hook: { ...draft, name: 'Mine' } });
  expect(saved).toMatchObject({ hook: { name: 'Mine' }, verdict: 'trusted' });
  expect(await workbench.readNote('.errand/hooks.json')).toContain('"Mine"');
});

test("a stranger's hook runs only after it was agreed to as it was shown", async () => {
  const vault = { settings, hooks: [hook('Strange')], strangers: ['Strange'] };
  await using workbench = await openTestWorkbench(vault);
  const client = await workbench.open();
  expect(await client.ask('/hooks/entry/strange/run', { method: 'POST', body: {} })).toMatchObject({
    status: 422,
  });
  const { hooks } = await client.get<List>('/hooks');
  const agree = (seen: string | undefined) => ({ hooks: [{ hook: 'strange', seen }] });
  expect(hooks).toMatchObject([{ verdict: 'untrusted' }]);
  await client.send('POST', '/hooks/agree', agree(hooks[0]?.seen));
  expect(await client.get<List>('/hooks')).toMatchObject({ hooks: [{ verdict: 'trusted' }] });
  await client.send('POST', '/hooks/entry/strange/run');
});

test('a program without an owner says why there are no hooks', async () => {
  await using workbench = await openTestWorkbench();
  const client = await workbench.open();
  expect(await client.fails('GET', '/hooks')).toMatchObject({
    status: 409,
    message: expect.stringContaining('owns the vault'),
  });
});
