import { expect, test } from 'vitest';
import { exampleServer } from '../testing/example-server.ts';
import { readSettings } from './read-settings.ts';
import { describeProblem } from './settings-problem.ts';

const read = (value: unknown) => readSettings(JSON.stringify(value), 'settings.json');
const entry = { name: 'notes', transport: 'stdio', deploymentType: 'local' };
const local = { ...entry, localConfig: { command: 'run' } };

/** Path and message of every problem with one entry, or with the whole file. */
const problemsOf = (value: object) => {
  const file = 'name' in value ? { mcpServers: [value] } : value;
  return read(file).problems.map(({ path, message }) => `${path}: ${message}`);
};

test('fills the defaults', () => {
  const { mcpServers, problems, ...values } = read({ mcpServers: [local] });
  expect(problems).toEqual([]);
  expect(values).toEqual({
    version: 1,
    mcpGlobalTimeout: 30_000,
    mcpConcurrentLimit: 25,
    mcpSessionLimit: 25,
    connect: 'at-start',
    onError: 'replace',
    attachmentsFolder: 'Attachments/errand',
    logParameters: false,
    mail: null,
    sharedMailboxes: [],
    logDays: 30,
    logMegabytes: 100,
    discovery: [],
    assistants: [],
    brokenBindings: [],
  });
  expect(mcpServers).toEqual([
    {
      ...local,
      id: 'notes',
      enabled: false,
      failureCount: 0,
      autoDisabled: false,
      sectionBindings: [],
    },
  ]);
});

test('keeps every field of a full entry', () => {
  const full = {
    ...exampleServer,
    localConfig: { command: 'run', args: ['a'], env: { A: '1' }, cwd: '.' },
    lastConnectedAt: 5,
    approval: 'deny',
    timeout: 1000,
    era: 'modern',
    sectionBindings: [
      {
        sectionType: 'range',
        startLine: 1,
        endLine: 2,
        serverId: exampleServer.id,
        inheritToChildren: false,
        documentPath: 'a/**',
      },
    ],
  };
  expect(read({ mcpServers: [full] })).toMatchObject({ mcpServers: [full], problems: [] });
});

test('names a managed container after its server', () => {
  const managed = { ...entry, deploymentType: 'managed', dockerConfig: { image: 'x' } };
  const { mcpServers } = read({ mcpServers: [managed] });
  expect(mcpServers[0]?.dockerConfig?.containerName).toBe('errand-notes');
});

test('reports a broken entry with its place and reads the others', () => {
  const text = `{
  "mcpServers": [
    { "name": "first", "transport": "stdio", "deploymentType": "local", "localConfig": { "command": "a" } },
    { "name": "second", "transport": "stdio", "deploymentType": "local",
      "localConfig": { "command": 5 } },
    { "name": "third", "transport": "stdio", "deploymentType": "local", "localConfig": { "command": "c" } }
  ]
}`;
  const { mcpServers, problems } = readSettings(text, 'settings.json');
  expect(mcpServers.map(({ name }) => name)).toEqual(['first', 'third']);
  expect(problems).toEqual([
    {
      level: 'error',
      path: 'mcpServers[1].localConfig.command',
      line: 5,
      column: 24,
      message: 'Write the program to start, for example "npx".',
      server: 'second',
      file: 'settings.json',
    },
  ]);
  expect(problems.map((problem) => describeProblem(problem, 'settings.json').message)).toEqual([
    'settings.json:5:24: mcpServers[1].localConfig.command: Write the program to start, for example "npx".',
  ]);
});

test.each<[string, object, string]>([
  [
    'a local server over http',
    { ...local, transport: 'http' },
    'mcpServers[0]: A local server speaks over its standard input.',
  ],
  ['a local server without a command', entry, 'mcpServers[0]: A local server needs a command.'],
  [
    'a managed server without an image',
    { ...entry, deploymentType: 'managed' },
    'mcpServers[0]: A managed server needs an image.',
  ],
  [
    'a managed server over sse without a port',
    { ...entry, deploymentType: 'managed', transport: 'sse', dockerConfig: { image: 'x' } },
    'mcpServers[0]: A managed server over sse needs a port.',
  ],
  [
    'an external server over stdio',
    { ...entry, deploymentType: 'external', httpConfig: { url: 'http://x' } },
    'mcpServers[0]: An external server has a URL.',
  ],
  [
    'an external sse server with only an http address',
    { ...entry, deploymentType: 'external', transport: 'sse', httpConfig: { url: 'http://x' } },
    'mcpServers[0]: An external server over sse needs a URL. Write "sseConfig"',
  ],
  [
    'an address that is not http',
    { ...entry, deploymentType: 'external', transport: 'http', httpConfig: { url: 'file:///x' } },
    'mcpServers[0].httpConfig.url: Write an address that begins with http:// or https://.',
  ],
  ['a timeout below a second', { ...local, timeout: 999 }, 'mcpServers[0].timeout: Write at least'],
  ['a timeout of minutes', { ...local, timeout: 300_001 }, 'mcpServers[0].timeout: Write at most'],
  [
    'a number in the environment',
    { ...local, localConfig: { command: 'run', env: { PORT: 80 } } },
    'mcpServers[0].localConfig.env.PORT: Write the value as text in double quotes.',
  ],
  [
    'a variable name that cannot be one',
    { ...local, localConfig: { command: 'run', env: { 'A=B': 'x' } } },
    'mcpServers[0].localConfig.env."A=B": Write a name without "=".',
  ],
  ['a name with a blank', { ...local, name: 'my notes' }, 'mcpServers[0].name: A name has only'],
  ['a reserved name', { ...local, name: 'Python' }, 'Write for example "Python-server".'],
  [
    'a limit of 0',
    { mcpSessionLimit: 0 },
    'mcpSessionLimit: Write a whole number, 1 or more, or -1',
  ],
  ['a limit of -2', { mcpConcurrentLimit: -2 }, 'mcpConcurrentLimit: Write a whole number, 1'],
  ['servers of another program', { mcpServers: { a: {} } }, 'how other programs keep them'],
  [
    'a folder outside the vault',
    { attachmentsFolder: '../x' },
    'attachmentsFolder: Write a folder',
  ],
  ['an entry that is a text', { mcpServers: ['npx'] }, 'mcpServers[0]: Write an object'],
])('reports %s and what to write instead', (_what, value, expected) => {
  const problems = problemsOf(value);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain(expected);
});

test('accepts -1 and 1 as limits', () => {
  const settings = read({ mcpConcurrentLimit: -1, mcpSessionLimit: 1 });
  expect(settings).toMatchObject({ mcpConcurrentLimit: -1, mcpSessionLimit: 1, problems: [] });
});

test('uses the default of a broken value and says so', () => {
  const settings = read({ mcpGlobalTimeout: '30 s' });
  expect(settings.mcpGlobalTimeout).toBe(30_000);
  expect(settings.problems[0]).toMatchObject({ usedInstead: '30000' });
});

test('gives a name and an id to the first who has it, ignoring case of the name', () => {
  const other = { ...local, id: 'x', name: 'NOTES' };
  const third = { ...local, id: 'notes', name: 'third' };
  const { mcpServers, problems } = read({ mcpServers: [local, other, third] });
  expect(mcpServers.map(({ name }) => name)).toEqual(['notes']);
  expect(problems).toMatchObject([
    { path: 'mcpServers[1].name', message: expect.stringContaining('"NOTES-2"') },
    { path: 'mcpServers[2].id', server: 'third' },
  ]);
});

test('warns once of each key it does not know and where', () => {
  const value = { colour: 1, assistants: [], mcpServers: [{ ...local, comand: 'x' }] };
  expect(read(value).problems).toMatchObject([
    { level: 'warning', path: 'colour' },
    { level: 'warning', path: 'mcpServers[0].comand', server: 'notes' },
  ]);
});

test('leaves out a broken binding and keeps the server', () => {
  const good = { sectionType: 'heading', headingText: '## Tools' };
  const bindings = [good, { sectionType: 'block', headingText: 'x' }, { sectionType: 'range' }];
  const { mcpServers, problems } = read({
    mcpServers: [{ ...local, sectionBindings: bindings }],
  });
  expect(mcpServers[0]?.sectionBindings).toEqual([
    { ...good, serverId: 'notes', inheritToChildren: true },
  ]);
  expect(problems.map(({ path }) => path)).toEqual([
    'mcpServers[0].sectionBindings[1]',
    'mcpServers[0].sectionBindings[2]',
  ]);
});

test('keeps a binding to a server that is gone, because it restricts, and warns', () => {
  const binding = { sectionType: 'block', blockId: '^a', serverId: 'gone' };
  const settings = read({ mcpServers: [{ ...local, sectionBindings: [binding] }] });
  expect(settings.mcpServers[0]?.sectionBindings).toHaveLength(1);
  expect(settings.problems).toMatchObject([{ level: 'warning', server: 'notes' }]);
});

test('leaves out an entry that says something twice', () => {
  const text = '{ "mcpServers": [{ "name": "a", "name": "b" }] }';
  expect(readSettings(text, 'f')).toMatchObject({
    mcpServers: [],
    problems: expect.arrayContaining([
      expect.objectContaining({ path: 'mcpServers[0].name', column: 20 }),
    ]),
  });
});

test.each([
  ['[]', 1, 1, 'settings are an object'],
  ['{ "version": 2 }', 1, 3, 'Update Errand'],
  ['{ "version": "1" }', 1, 3, 'Write "version": 1'],
  ['{ "logDays": 1,\n "logDays": 2 }', 1, 3, '"logDays" is written twice'],
  ['{ "version": 1', 1, 15, 'a closing } is missing'],
])('refuses %j with line and column', (text, line, column, expected) => {
  expect(() => readSettings(text, 'settings.json')).toThrow(
    expect.objectContaining({
      code: 'settings_invalid',
      message: expect.stringContaining(expected),
      facts: expect.objectContaining({ line, column }),
    }),
  );
});

test('never repeats a value that may be a secret', () => {
  const secret = 'sk-12345';
  const broken = {
    ...entry,
    transport: secret,
    localConfig: { command: 'x', env: { A: [secret] }, args: [{ secret }] },
    timeout: secret,
  };
  expect(JSON.stringify(problemsOf(broken))).not.toContain(secret);
});

test.each([
  ['an unknown kind', { kind: 'jail' }],
  ['a misspelt key', { kind: 'bwrap', netwrok: false }],
  ['a misspelt key of a mount', { kind: 'bwrap', mounts: [{ source: '.', writeable: false }] }],
  ['a word', 'bwrap'],
])('leaves out a server whose sandbox cannot be understood: %s', (_what, sandbox) => {
  const { mcpServers, problems } = read({
    mcpServers: [{ ...entry, localConfig: { command: 'run', sandbox } }],
  });
  expect(mcpServers).toEqual([]);
  expect(problems).toContainEqual(
    expect.objectContaining({
      level: 'error',
      path: expect.stringMatching(/^mcpServers\[0\]\.localConfig\.sandbox/),
    }),
  );
});

test('quotes an unknown key on the line of its problem', () => {
  const [problem] = read({ 'x": fixed.\n\nAll is well.\u001b[2J': 1 }).problems;
  expect(problem && describeProblem(problem, 'settings.json').message).toMatch(
    /^settings\.json:1:2: "x\\": fixed\.\\n\\nAll is well\.\\u001b\[2J": Unknown key/,
  );
  const [long] = read({ [' '.repeat(5_000)]: 1 }).problems;
  expect(long?.path.length).toBeLessThan(200);
});

test.each([
  '.git/hooks',
  'a/.obsidian/plugins',
  '.errand',
  'a\\.git',
  '\u200b.git',
  '.attachments',
])('keeps attachments out of the hidden folder %j', (attachmentsFolder) => {
  const { attachmentsFolder: used } = read({ attachmentsFolder });
  expect(used).toBe('Attachments/errand');
  expect(problemsOf({ attachmentsFolder })[0]).toContain('no part of its path begins with "."');
});

test('takes a folder for attachments that begins here, or has dots inside', () => {
  for (const attachmentsFolder of ['./Files', 'Files/v1.2']) {
    expect(read({ attachmentsFolder })).toMatchObject({ attachmentsFolder, problems: [] });
  }
});
