import { actionSchema, hookSchema } from '@errand/hooks';
import { expect, test } from 'vitest';
import { describeCondition, describeHook, describeTrigger, nameServers } from './describe-hook.ts';

test.each([
  ['0 20 * * *', 'every day at 20:00'],
  ['5 * * * *', 'every hour at :05'],
  ['30 7 * * 1-5', 'Monday to Friday at 07:30'],
  ['0 9 * * 7', 'every Sunday at 09:00'],
  ['*/5 * * * *', 'at */5 * * * *'],
  ['0 9 1 * *', 'at 0 9 1 * *'],
  ['0 9 * * 1,3', 'at 0 9 * * 1,3'],
  ['', 'at '],
])('the schedule %j is described as %j', (cron, words) => {
  expect(describeTrigger({ kind: 'schedule', cron, missed: 'skip' })).toBe(words);
});

test.each([
  [{ field: 'branch', equals: 'main' }, 'branch = main'],
  [{ field: 'branch', equals: 'main', not: true }, 'branch != main'],
  [{ field: 'a', in: ['x', 1] }, 'a in x, 1'],
  [{ field: 'a', matches: '^b', not: true }, 'a not ~ ^b'],
  [{ field: 'a', exists: true, not: true }, 'a is missing'],
])('the condition %j is described as %j', (condition, words) => {
  expect(describeCondition(condition)).toBe(words);
});

test.each<[string, object, readonly string[]]>([
  [
    'mcp',
    {
      serverId: 'a1',
      toolName: 'post',
      timeout: 5_000,
      parameterMappings: [
        { toolParam: 'channel', source: 'literal', value: 'plans' },
        { toolParam: 'text', source: 'template', value: '{{ feature }} is ready' },
        { toolParam: 'user', source: 'context', value: 'user' },
      ],
    },
    [
      'then: call post of chat',
      '  channel = "plans"',
      '  text = "{{ feature }} is ready"',
      '  user = the field user',
      '  timeout: 5000',
    ],
  ],
  [
    'github',
    {
      operation: 'open-issue',
      url: 'https://evil.example/api',
      title: 'A b',
      token: `$\{secret:github}`,
    },
    [
      'then: GitHub open-issue',
      `  token: $\{secret:github}`,
      '  url: https://evil.example/api',
      '  title: "A b"',
    ],
  ],
  [
    'git',
    { operation: 'commit', messageTemplate: 'x', paths: ['.'], pushToRemote: true },
    ['then: git commit', '  messageTemplate: x', '  paths: ["."]', '  pushToRemote: true'],
  ],
  [
    'custom',
    {
      command: 'sh',
      args: ['-c', 'rm -r x; true'],
      cwd: 'app',
      env: { A: `$\{secret:npm}`, API_TOKEN: 'abcdefgh' },
    },
    [
      'then: run sh -c "rm -r x; true"',
      '  cwd: app',
      `  env: {"A":"$\{secret:npm}","API_TOKEN":"[hidden]"}`,
    ],
  ],
  [
    'agent',
    { assistant: 'Claude', prompt: 'Do it', note: 'Log.md' },
    ['then: ask Claude: Do it', '  note: Log.md'],
  ],
])(
  'everything that an action of type %s does is shown before somebody agrees to it',
  (type, parameters, lines) => {
    const action = actionSchema.parse({ type, onError: 'stop', parameters });
    const trigger = { kind: 'manual' };
    const hook = hookSchema.parse({
      id: 'h',
      name: 'H',
      trigger,
      actions: [action],
      runsPerHour: 5,
    });
    expect(describeHook(nameServers(hook, [{ id: 'a1', name: 'chat' }]))).toEqual([
      'when: when asked',
      ...lines,
      '  ends the hook when it fails',
      'mode: queued',
      'at most 5 runs an hour',
    ]);
  },
);
