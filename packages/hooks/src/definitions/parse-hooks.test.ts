import { expect, test } from 'vitest';
import { parseHooks } from './parse-hooks.ts';

const action = { type: 'custom', parameters: { command: 'true' } };
const hook = (more: object = {}) => ({
  id: 'a',
  name: 'First',
  trigger: { kind: 'manual' },
  actions: [action],
  ...more,
});
const file = (...hooks: unknown[]) => JSON.stringify({ version: 1, hooks }, undefined, 2);

test('reads hooks with their defaults', () => {
  const { hooks, problems } = parseHooks(file(hook()));
  expect(problems).toEqual([]);
  expect(hooks).toMatchObject([
    { enabled: true, conditions: [], mode: 'queued', runsPerHour: 60, createdAt: 0 },
  ]);
});

test('reads comments, trailing commas and a byte order mark', () => {
  const text = `\uFEFF// mine\n{ "version": 1, "hooks": [ ${JSON.stringify(hook())}, /* last */ ], }`;
  expect(parseHooks(text)).toMatchObject({ hooks: [{ name: 'First' }], problems: [] });
});

test.each(['{}', '{ "hooks": [] }'])('takes %s as no hooks', (text) => {
  expect(parseHooks(text)).toEqual({ hooks: [], problems: [] });
});

test.each([
  ['', 'The file is empty', 1, 1],
  ['{ "hooks": [\n  { "id": }] }', 'This is not JSON', 2, 11],
  ['[]', 'in an object', 1, 1],
  ['{ "version": 2 }', 'Update Errand', 1, 3],
  ['{ "version": "1" }', 'Write "version": 1', 1, 3],
  ['{\n "hooks": {} }', '"hooks" is a list', 2, 2],
  ['['.repeat(100_000), 'nested too deeply', 1, 1],
  [`"${'x'.repeat(4_000_001)}"`, 'larger than 4 MB', 1, 1],
])('tells what is wrong with a whole file: %.20s', (text, message, line, column) => {
  const { hooks, problems } = parseHooks(text);
  expect(hooks).toEqual([]);
  const problem = { message: expect.stringContaining(message), line, column, mayGuard: true };
  expect(problems).toEqual([problem]);
});

test.each<[string, object, string, number]>([
  ['an unknown kind', { trigger: { kind: 'moon' } }, '"kind" as one of', 8],
  ['a wrong operation', { actions: [{ type: 'git', parameters: {} }] }, 'as "operation"', 13],
  ['a timeout beyond five minutes', { actions: [timeout(300_001)] }, 'at most 300000', 0],
  ['a timeout below a second', { actions: [timeout(999)] }, 'at least 1000', 0],
  ['a name of 101 characters', { name: 'x'.repeat(101) }, 'at most 100 characters', 6],
  ['an action without parameters', { actions: [{ type: 'custom' }] }, 'an object, in braces', 0],
  ['no actions', { actions: [] }, 'one or more actions', 10],
  ['a misspelled key', { enabeld: false }, 'Did you mean "enabled"?', 0],
  ['an unknown key of a trigger', { trigger: { kind: 'call', model: 'x' } }, 'no such key', 0],
  ['a pattern that is none', { conditions: [{ field: 'a', matches: '(' }] }, 'missing bracket', 0],
  ['a bad cron', { trigger: { kind: 'schedule', cron: '99 * * * *' } }, 'as cron has them', 9],
  ['a cron of seconds', { trigger: { kind: 'schedule', cron: '0 0 0 * * *' } }, 'five fields', 9],
  [
    'a bad time zone',
    { trigger: { kind: 'schedule', cron: '0 7 * * *', timeZone: 'Mars/North' } },
    'a time zone',
    10,
  ],
  [
    'a bad template',
    { actions: [custom('{{ branch | nosuch }}')] },
    'undefined filter: nosuch',
    16,
  ],
  ['a template with tags', { actions: [custom('{% if %}')] }, 'no {% tags %}', 16],
  ['a template without end', { actions: [custom('{{ branch')] }, 'has no }}', 16],
  ['a misspelled timeout', { actions: [mcp({ timeOuts: 60_000 })] }, 'mean "timeout"?', 0],
  ['a misspelled path', { actions: [git({ path: ['a'] })] }, 'Did you mean "paths"?', 0],
  ['an unknown parameter of git', { actions: [git({ files: ['a'] })] }, 'no such key', 0],
  ['a misspelled label', { actions: [github({ label: 'a' })] }, 'Did you mean "labels"?', 0],
  ['a misspelled prompt', { actions: [agent({ promt: 'a' })] }, 'Did you mean "prompt"?', 0],
  ['a glob with braces', { trigger: files('Inbox/*.{md,txt}') }, 'Braces stand', 0],
  ['a glob from here', { trigger: files('./Inbox/*.md') }, 'as it is in the vault', 0],
  ['an absolute glob', { trigger: files('/home/me/Inbox/*.md') }, 'as it is in the vault', 0],
  ['a glob of Windows', { trigger: files('Inbox\\*.md') }, 'as it is in the vault', 0],
  ['a pattern of written files', { actions: [mcp({ writes: './Log.md' })] }, 'in the vault', 0],
  [
    'a condition with two tests',
    { conditions: [{ field: 'a', equals: 1, glob: 'x' }] },
    'equals, in',
    0,
  ],
])('tells %s with its place, and the others work', (_, change, message, line) => {
  const { hooks, problems } = parseHooks(file(hook(change), hook({ id: 'b', name: 'Second' })));
  expect(hooks.map(({ id }) => id)).toEqual(['b']);
  expect(problems[0]).toMatchObject({ message: expect.stringContaining(message), hookId: 'a' });
  if (line > 0) expect(problems[0]?.line).toBe(line);
});

function custom(arg: string) {
  return { type: 'custom', parameters: { command: 'echo', args: [arg] } };
}

function timeout(value: number) {
  return mcp({ timeout: value });
}

function mcp(more: object) {
  return {
    type: 'mcp',
    parameters: { serverId: 's', toolName: 't', parameterMappings: [], ...more },
  };
}

function git(more: object) {
  return { type: 'git', parameters: { operation: 'commit', messageTemplate: 'a', ...more } };
}

function github(more: object) {
  const parameters = { operation: 'open-issue', title: 'a', token: `$\{secret:a}`, ...more };
  return { type: 'github', parameters };
}

function agent(more: object) {
  return { type: 'agent', parameters: { assistant: 'a', prompt: 'a', ...more } };
}

function files(glob: string) {
  return { kind: 'file', events: ['created'], glob };
}

test('keeps a timeout of 60 s (fault 1 of the origin)', () => {
  const { hooks } = parseHooks(file(hook({ actions: [timeout(60_000)] })));
  expect(hooks[0]?.actions[0]).toMatchObject({ parameters: { timeout: 60_000 } });
});

test('refuses the second of two hooks with one name or one id', () => {
  const text = file(hook(), hook({ id: 'b', name: 'FIRST' }), hook({ name: 'Third' }));
  const { hooks, problems } = parseHooks(text);
  expect(hooks).toHaveLength(1);
  expect(problems.map(({ hookName, message }) => [hookName, message])).toEqual([
    ['FIRST', 'A hook before it has this name. Write another name.'],
    ['Third', 'A hook before it has this id. Write another id.'],
  ]);
});

test('refuses an entry with a key that is written twice', () => {
  const text = `{ "hooks": [${JSON.stringify(hook()).replace('{', '{"enabled":false,"enabled":true,')}] }`;
  expect(parseHooks(text).problems).toMatchObject([{ message: expect.stringContaining('twice') }]);
});

test('refuses an entry that is nested without end, and reads the next', () => {
  let deep: unknown = 1;
  for (let level = 0; level < 1000; level++) deep = [deep];
  const text = file(hook({ extra: deep }), hook({ id: 'b', name: 'Second' }));
  const { hooks, problems } = parseHooks(text);
  expect(hooks.map(({ id }) => id)).toEqual(['b']);
  expect(problems).toMatchObject([{ message: expect.stringContaining('too deeply') }]);
});

test('repeats nothing of what was written, which may be a secret', () => {
  const secret = 'hunter2-hunter2';
  const parameters = { command: [secret], env: { TOKEN: [secret] }, timeout: secret };
  const { problems } = parseHooks(file(hook({ actions: [{ type: 'custom', parameters }] })));
  expect(problems.length).toBeGreaterThan(0);
  expect(JSON.stringify(problems)).not.toContain(secret);
});
