import { expect, test } from 'vitest';
import { hookSchema } from '../hook-schema.ts';
import { exportHooks, exportToOrigin } from './export-hooks.ts';
import { convertTemplate, importHooks } from './import-hooks.ts';

let ids = 0;
const options = {
  existing: [],
  createId: () => {
    ids += 1;
    return `new-${ids}`;
  },
};
const trigger = { agent: 'speckit', operation: 'plan', timing: 'after' };
const origin = (action: object, more: object = {}) => ({
  id: '6d1b1d9e-0f0c-4b0e-9c55-7d8c0a1b2c3d',
  name: 'Tell',
  enabled: true,
  trigger,
  action,
  createdAt: 1,
  modifiedAt: 2,
  executionCount: 3,
  ...more,
});
const importOne = (action: object, more: object = {}) =>
  importHooks(JSON.stringify([origin(action, more)]), options);

test.each([
  ['{feature} on {branch}', '{{ feature }} on {{ branch }}'],
  ['{{feature}} on {{ branch }}', '{{ feature }} on {{ branch }}'],
  ['$feature on $branch.', '{{ feature }} on {{ branch }}.'],
  ['$triggerType by $changeAuthor', '{{ operation }} by {{ user }}'],
  ['costs $5, {"a": 1}, {unknown}, $unknown', 'costs $5, {"a": 1}, {unknown}, $unknown'],
])('converts the template %j', (template, expected) => {
  expect(convertTemplate(template)).toBe(expected);
});

test.each<[string, object, object]>([
  [
    'a call',
    {
      type: 'mcp',
      parameters: {
        serverId: 's',
        toolName: 't',
        timeout: 60_000,
        parameterMappings: [
          { toolParam: 'a', source: 'template', value: '{feature}' },
          { toolParam: 'b', source: 'literal', value: '{feature}' },
          { toolParam: 'c', source: 'context', value: 'triggerType' },
        ],
      },
    },
    {
      type: 'mcp',
      parameters: {
        serverId: 's',
        timeout: 60_000,
        parameterMappings: [
          { value: '{{ feature }}' },
          { value: '{feature}' },
          { value: 'operation' },
        ],
      },
    },
  ],
  [
    'a call of one chosen tool',
    { type: 'mcp', parameters: { prompt: 'x', selectedTools: [{ serverId: 's', toolName: 't' }] } },
    { type: 'mcp', parameters: { serverId: 's', toolName: 't', parameterMappings: [] } },
  ],
  [
    'a chat command',
    { type: 'agent', parameters: { command: '/speckit.clarify' } },
    { type: 'agent', parameters: { command: '/speckit.clarify' } },
  ],
  [
    'a commit',
    {
      type: 'git',
      parameters: { operation: 'commit', messageTemplate: 'docs: $feature', pushToRemote: true },
    },
    { type: 'git', parameters: { messageTemplate: 'docs: {{ feature }}', pushToRemote: true } },
  ],
  [
    'a branch',
    {
      type: 'git',
      parameters: { operation: 'create-branch', messageTemplate: 'x', branchName: 'x-{feature}' },
    },
    { type: 'git', parameters: { operation: 'create-branch', branch: 'x-{{ feature }}' } },
  ],
  [
    'an issue',
    {
      type: 'github',
      parameters: { operation: 'open-issue', titleTemplate: '{feature}', bodyTemplate: 'b' },
    },
    {
      type: 'github',
      parameters: { title: '{{ feature }}', body: 'b', token: `$\{secret:github}` },
    },
  ],
  [
    'an agent',
    {
      type: 'custom',
      parameters: { agentName: 'reviewer', prompt: 'Review', arguments: '$specId' },
    },
    { type: 'agent', parameters: { assistant: 'reviewer', prompt: 'Review\n\n{{ specId }}' } },
  ],
])('imports %s', (_, action, expected) => {
  const { hooks, problems } = importOne(action);
  expect(problems).toEqual([]);
  expect(hooks).toMatchObject([
    {
      name: 'Tell',
      trigger: { kind: 'agent-operation', ...trigger },
      actions: [expected],
      createdAt: 1,
    },
  ]);
});

test.each<[string, object]>([
  [
    'a choice of tools by a model',
    { type: 'mcp', parameters: { prompt: 'x', selectedTools: [{}, {}] } },
  ],
  ['an unknown action', { type: 'acp', parameters: { agentCommand: 'x' } }],
  ['no parameters', { type: 'git' }],
  ['a wrong operation', { type: 'git', parameters: { operation: 'rm' } }],
])('says that %s cannot be taken over, and takes the others', (_, action) => {
  const good = origin({ type: 'agent', parameters: { command: '/x' } }, { id: 'b', name: 'Good' });
  const { hooks, problems } = importHooks(JSON.stringify([origin(action), good]), options);
  expect(hooks.map(({ name }) => name)).toEqual(['Good']);
  expect(problems).toMatchObject([{ hookName: 'Tell', message: expect.any(String) }]);
});

test.each(['5', '{}', '{ "hooks": 5 }', 'nonsense', ''])('%j holds no hooks', (text) => {
  const { hooks, problems } = importHooks(text, options);
  expect([hooks.length, problems.length]).toEqual([0, 1]);
});

test('gives hooks names and ids that are free', () => {
  const action = { type: 'agent', parameters: { command: '/x' } };
  const existing = [{ id: origin(action).id, name: 'tell' }];
  const { hooks } = importHooks(JSON.stringify([origin(action)]), { ...options, existing });
  expect(hooks[0]).toMatchObject({ name: 'Tell (2)', id: expect.stringMatching(/^new-/) });
});

const own = hookSchema.parse({
  id: 'own',
  name: 'Own',
  trigger: { kind: 'agent-operation', ...trigger },
  actions: [
    {
      type: 'git',
      parameters: {
        operation: 'commit',
        messageTemplate: '{{ feature }}: {{ operation }}',
        branch: 'b',
      },
    },
  ],
});

test('reads its own export again, with comments too', () => {
  const text = exportHooks([own], () => ({ executionCount: 4, lastExecutedAt: 9 }));
  expect(JSON.parse(text).hooks[0]).toMatchObject({ executionCount: 4, lastExecutedAt: 9 });
  expect(importHooks(text, options)).toEqual({ hooks: [own], problems: [] });
  expect(importHooks(`// mine\n${text}`, options).hooks).toEqual([own]);
});

test('exports what the extension can read, which comes back the same', () => {
  const conditional = { ...own, name: 'If', conditions: [{ field: 'branch', equals: 'x' }] };
  const scheduled = { ...own, name: 'Timed', trigger: { kind: 'manual' as const } };
  const filtered = hookSchema.parse({
    ...own,
    name: 'Filter',
    actions: [
      {
        type: 'git',
        parameters: { operation: 'commit', messageTemplate: '{{ feature | upcase }}' },
      },
    ],
  });
  const { text, problems } = exportToOrigin([own, conditional, scheduled, filtered]);
  expect(problems.map(({ hookName }) => hookName)).toEqual(['If', 'Timed', 'Filter']);
  expect(JSON.parse(text)).toMatchObject([
    {
      trigger,
      action: {
        type: 'git',
        parameters: { messageTemplate: '{feature}: {triggerType}', branchName: 'b' },
      },
      executionCount: 0,
    },
  ]);
  expect(importHooks(text, options)).toEqual({ hooks: [own], problems: [] });
});

test('exports literals as they are written', () => {
  const parameterMappings = [
    { toolParam: 'a', source: 'literal', value: '{{ feature }} and {{.Names}}' },
    { toolParam: 'b', source: 'template', value: '{{ feature }}' },
  ];
  const parameters = { serverId: 's', toolName: 't', parameterMappings };
  const calling = hookSchema.parse({ ...own, actions: [{ type: 'mcp', parameters }] });
  const { text, problems } = exportToOrigin([calling]);
  expect(problems).toEqual([]);
  expect(importHooks(text, options)).toEqual({ hooks: [calling], problems: [] });
});

test('says that a file is nested too deeply', () => {
  const text = JSON.stringify([origin({ type: 'git', parameters: { deep: 'DEEP' } })]);
  const deep = text.replace('"DEEP"', `${'['.repeat(50_000)}${']'.repeat(50_000)}`);
  expect(importHooks(deep, options)).toMatchObject({ hooks: [], problems: [{}] });
});
