import { expect, test } from 'vitest';
import { applyFlags, type HookFlags } from './hook-flags.ts';

const base = { id: 'h', name: 'Hook' };
const make = (flags: HookFlags, ...program: string[]) => applyFlags(base, flags, program);

test.each<[HookFlags, readonly string[], object]>([
  [
    {
      on: 'file',
      glob: 'Inbox/*.md',
      call: 'chat/post',
      set: ['a=1', 'b={{ fileName }}', 'c=@user'],
    },
    [],
    {
      trigger: { kind: 'file', events: ['created', 'changed'], glob: 'Inbox/*.md' },
      actions: [
        {
          type: 'mcp',
          parameters: {
            serverId: 'chat',
            toolName: 'post',
            parameterMappings: [
              { toolParam: 'a', source: 'literal', value: '1' },
              { toolParam: 'b', source: 'template', value: '{{ fileName }}' },
              { toolParam: 'c', source: 'context', value: 'user' },
            ],
          },
        },
      ],
    },
  ],
  [
    {
      on: 'call',
      status: 'error, timeout',
      timeout: 60,
      onError: 'stop',
      mode: 'parallel',
      max: 3,
    },
    ['npm', 'test'],
    {
      mode: 'parallel',
      max: 3,
      trigger: { kind: 'call', status: ['error', 'timeout'] },
      actions: [
        {
          type: 'custom',
          onError: 'stop',
          parameters: { command: 'npm', args: ['test'], timeout: 60_000 },
        },
      ],
    },
  ],
  [
    {
      on: 'manual',
      commit: 'notes',
      if: ['branch=main', 'user!=bot', 'branch~^x', 'file.path:a/*', 'specId', '!feature'],
    },
    [],
    {
      conditions: [
        { field: 'branch', equals: 'main' },
        { field: 'user', equals: 'bot', not: true },
        { field: 'branch', matches: '^x' },
        { field: 'file.path', glob: 'a/*' },
        { field: 'specId', exists: true },
        { field: 'feature', exists: false },
      ],
      actions: [{ type: 'git', parameters: { operation: 'commit', messageTemplate: 'notes' } }],
    },
  ],
  [
    { template: 'post-after-plan', call: 'chat/post' },
    [],
    {
      actions: [
        {
          parameters: {
            serverId: 'chat',
            toolName: 'post',
            parameterMappings: [{ toolParam: 'channel', value: 'plans' }, { toolParam: 'text' }],
          },
        },
      ],
    },
  ],
  [{ template: 'commit-every-evening' }, [], { name: 'Hook', trigger: { kind: 'schedule' } }],
])('%j makes a hook', async (flags, program, hook) => {
  expect(await make(flags, ...program)).toMatchObject(hook);
});

test('what is not given stays as it was', async () => {
  const before = await make({ on: 'file', glob: 'a.md', events: 'deleted' }, 'true');
  expect(await applyFlags(before, { glob: 'b.md' }, [])).toEqual({
    ...before,
    trigger: { kind: 'file', events: ['deleted'], glob: 'b.md' },
  });
});

test.each<[HookFlags, readonly string[], string]>([
  [{ on: 'file' }, ['true'], 'trigger.glob'],
  [{ on: 'manual' }, [], 'actions'],
  [{ on: 'manual', call: 'chat' }, [], 'SERVER/TOOL'],
  [{ on: 'manual', call: 'a/b', set: ['x'] }, [], 'PARAM=VALUE'],
  [{ on: 'manual', action: ['{'] }, [], '--action is not JSON'],
  [{ on: 'manual', timeout: 400 }, ['true'], 'five minutes'],
])('%j says what to write', async (flags, program, message) => {
  await expect(make(flags, ...program)).rejects.toThrow(message);
});

const stored = {
  ...base,
  trigger: { kind: 'manual' },
  actions: [
    {
      type: 'mcp',
      parameters: {
        serverId: 'chat',
        toolName: 'post',
        parameterMappings: [
          { toolParam: 'channel', source: 'literal', value: 'a' },
          { toolParam: 'text', source: 'literal', value: 'b' },
        ],
      },
    },
    { type: 'custom', parameters: { command: 'true' } },
  ],
};

test.each<[HookFlags, object]>([
  [
    { timeout: 2, onError: 'stop' },
    {
      actions: [
        { onError: 'stop', parameters: { toolName: 'post', timeout: 2_000 } },
        { onError: 'stop', parameters: { command: 'true', timeout: 2_000 } },
      ],
    },
  ],
  [
    { set: ['text={{ branch }}'] },
    {
      actions: [
        {
          parameters: {
            parameterMappings: [
              { toolParam: 'channel', value: 'a' },
              { toolParam: 'text', source: 'template', value: '{{ branch }}' },
            ],
          },
        },
        { parameters: { command: 'true' } },
      ],
    },
  ],
  [
    { call: 'other/send' },
    { actions: [{ parameters: { serverId: 'other', parameterMappings: [{}, { value: 'b' }] } }] },
  ],
])('%j changes the actions that a hook has', async (flags, expected) => {
  expect(await applyFlags(stored, flags, [])).toMatchObject(expected);
});

test('refuses parameters for a hook that calls nothing', async () => {
  const [, program] = stored.actions;
  const change = applyFlags({ ...stored, actions: [program] }, { set: ['a=1'] }, []);
  await expect(change).rejects.toThrow('there is none');
});
