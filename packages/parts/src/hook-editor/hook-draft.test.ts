import type { Hook, MCPServer } from '@errand/hooks';
import { expect, test } from 'vitest';
import { draftFrom, emptyDraft, hookFrom } from './hook-draft.ts';
import { mappingRows, putMapping, uncoveredNames } from './mapping-rows.ts';
import { moveInTools, toolRows } from './tool-rows.ts';

const base = { id: 'h', name: 'Hook', enabled: true, mode: 'queued', runsPerHour: 60 } as const;
const action = { type: 'custom', parameters: { command: 'true' } } as const;
const triggers: readonly Hook['trigger'][] = [
  {
    kind: 'agent-operation',
    agent: 'openspec',
    operation: 'tasks',
    timing: 'before',
    waitForCompletion: true,
  },
  { kind: 'file', events: ['created', 'deleted'], glob: 'Inbox/*.md' },
  { kind: 'git', events: ['push'], branch: 'main' },
  { kind: 'schedule', cron: '0 7 * * *', timeZone: 'Europe/Berlin', missed: 'once' },
  { kind: 'call', server: 'a', tool: 'b', status: ['error'], source: 'hook' },
  { kind: 'call' },
  { kind: 'server', events: ['lost'] },
  { kind: 'mail', events: ['sent'] },
  { kind: 'http' },
  { kind: 'manual' },
];
const actions: readonly Hook['actions'][number][] = [
  {
    type: 'mcp',
    onError: 'stop',
    parameters: {
      serverId: 's',
      toolName: 't',
      timeout: 60_500,
      parameterMappings: [{ toolParam: 'a', source: 'literal', value: '' }],
    },
  },
  { type: 'agent', parameters: { assistant: 'Claude', prompt: 'One\nTwo', note: 'Log.md' } },
  { type: 'agent', parameters: { command: '/speckit.plan' } },
  {
    type: 'git',
    parameters: {
      operation: 'commit',
      messageTemplate: 'x',
      paths: ['a b', 'c'],
      pushToRemote: true,
    },
  },
  { type: 'git', parameters: { operation: 'tag', tag: 'v1' } },
  {
    type: 'github',
    parameters: {
      operation: 'add-label',
      issueNumber: '{{ n }}',
      labels: ['a', 'b'],
      token: 't',
      mine: { kept: 1 },
    },
  },
  {
    type: 'custom',
    parameters: { command: 'npm', args: ['test', '--', 'a b'], cwd: '.', env: { A: 'b=c' } },
  },
];
const conditions: readonly Hook['conditions'][number][] = [
  { field: 'branch', equals: 'main' },
  { field: 'count', equals: 5, not: true },
  { field: 'label', in: ['a, b', 2, true] },
  { field: 'branch', matches: '^[0-9]{1,3}' },
  { field: 'file.path', glob: 'specs/**', not: true },
  { field: 'specId', exists: true },
];

test.each([
  ...triggers.map((trigger) => ({ trigger })),
  ...actions.map((one) => ({ actions: [one] })),
  { conditions },
  { mode: 'parallel', max: 3, runsPerHour: 5, enabled: false },
] as Partial<Hook>[])('%j is the same after it was shown in a form', (part) => {
  const hook = {
    ...base,
    trigger: { kind: 'manual' },
    conditions: [],
    actions: [action],
    createdAt: 7,
    ...part,
  };
  expect(hookFrom(draftFrom(hook as never), ['Claude'])).toEqual(hook);
});

test('what is typed becomes JSON: lists by commas, a missing field, and numbers that are none', () => {
  const typed = draftFrom({
    ...base,
    trigger: { kind: 'manual' },
    conditions: [...conditions],
    actions: [action],
  });
  const [first, , third, , , last] = typed.conditions;
  if (!first || !third || !last) throw new Error('There are six conditions.');
  const changed = hookFrom(
    {
      ...typed,
      runsPerHour: 'x',
      conditions: [
        { ...first, test: 'in', text: 'a,, b ' },
        { ...third, text: 'c' },
        { ...last, not: true },
      ],
      actions: [
        {
          ...emptyDraft.actions[0],
          type: 'custom',
          values: { command: '', timeout: 'soon' },
        } as never,
      ],
    },
    [],
  );
  expect(changed).toMatchObject({
    runsPerHour: Number.NaN,
    conditions: [{ in: ['a', 'b'] }, { in: ['c'] }, { field: 'specId', exists: true, not: true }],
    actions: [{ type: 'custom', parameters: { command: '', timeout: 'soon' } }],
  });
});

test('a tool that has changed keeps its mappings, and what it requires is named', () => {
  const schema = { type: 'object', properties: { a: {}, b: {}, c: {} }, required: ['c', 'b'] };
  const mapping = (toolParam: string) => ({ toolParam, source: 'literal', value: 'x' }) as const;
  const rows = mappingRows(schema, [mapping('gone'), mapping('b')]);
  expect(rows.map(({ name, isKnown }) => `${name} ${isKnown}`)).toEqual([
    'b true',
    'c true',
    'a true',
    'gone false',
  ]);
  expect(uncoveredNames(rows)).toEqual(['c']);
  expect(mappingRows(undefined, [mapping('x')])).toHaveLength(1);
  expect(putMapping([mapping('a')], 'a', { source: 'context', value: 'y' })).toEqual([
    { toolParam: 'a', source: 'context', value: 'y' },
  ]);
  expect(putMapping([mapping('a')], 'a', undefined)).toEqual([]);
});

test('tools are found by every word, and the tree is walked by keys', () => {
  const tool = (name: string) =>
    ({ name, displayName: name, description: 'Sends a letter', serverId: '' }) as never;
  const server = (id: string, ...names: string[]): MCPServer => ({
    id,
    name: id,
    status: 'available',
    lastDiscovered: 0,
    tools: names.map(tool),
  });
  const servers = [server('mail', 'send', 'read'), server('chat', 'post')];
  expect(toolRows(servers, '', new Set()).rows).toHaveLength(2);
  expect(toolRows(servers, ' POST letter', new Set()).rows.map(({ kind }) => kind)).toEqual([
    'server',
    'tool',
  ]);
  const many = server('many', ...Array.from({ length: 1_000 }, (_, index) => `t${index}`));
  expect(toolRows([many], 't', new Set())).toMatchObject({ left: 801 });
  const { rows } = toolRows(servers, '', new Set(['mail']));
  expect(moveInTools('ArrowDown', rows, 0)).toEqual({ to: 1 });
  expect(moveInTools('ArrowLeft', rows, 2)).toEqual({ to: 0 });
  expect(moveInTools('ArrowRight', rows, 3)).toEqual({ fold: 'chat' });
  expect(moveInTools('End', rows, 0)).toEqual({ to: 3 });
  expect(moveInTools('Enter', rows, 1)).toMatchObject({ choose: { tool: { name: 'send' } } });
  expect(moveInTools('Escape', rows, 1)).toBeUndefined();
});
