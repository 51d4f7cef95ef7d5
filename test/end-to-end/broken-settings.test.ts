import { writeFileSync } from 'node:fs';
import { scriptedServerConfig } from '@errand/machine/testing';
import { expect, test } from 'vitest';
import { patient, TestVault } from './errand-process.ts';

const left = 'The file was left as it is.';
const unusable = [
  {
    name: 'a JSON error is told with line and column',
    text: '{\n  "version": 1,\n  "mcpServers": [,]\n}',
    message: /^\.errand\/settings\.json, line 3, column 18: .*left as it is\.\n$/,
  },
  {
    name: 'an unclosed file is told with where it ends',
    text: '{\n  "version": 1,',
    message: /^\.errand\/settings\.json, line 2, column \d+: .*left as it is\.\n$/,
  },
  {
    name: 'settings of a newer version are not touched',
    text: '{ "version": 2 }',
    message: /these settings have version 2, made by a newer Errand .* Update Errand\./,
  },
  {
    name: 'settings that are no object are not touched',
    text: '[]',
    message: /write \{\} into it/,
  },
  { name: 'an empty file is not taken for settings', text: '', message: /the file is empty/ },
];

test.each(unusable)('$name', patient, async ({ text, message }) => {
  using vault = TestVault.trusted({ settings: text });
  const add = ['servers', 'add', 'x', '--disabled', '--json', '--', 'x'];
  const { code, stdout, stderr } = await vault.errand(...add);
  expect({ code, stdout: JSON.parse(stdout) }).toMatchObject({
    code: 2,
    stdout: { error: { code: 'settings_invalid' } },
  });
  expect(stderr).toMatch(message);
  expect(stderr).toContain(left);
  expect(vault.read('.errand/settings.json')).toBe(text);
});

test('reports bad entries with their position, and uses the good ones', patient, async () => {
  const good = scriptedServerConfig({}, { name: 'good' });
  const entry = (name: string, more: object = {}) => ({ ...good, id: name, name, ...more });
  const mcpServers = [
    entry('good'),
    entry('GOOD', { id: 'second' }),
    entry('python'),
    entry('a b'),
    entry('bare', { localConfig: {} }),
    entry('odd', { transport: 'carrier pigeon' }),
  ];
  using vault = TestVault.trusted({ settings: { mcpServers, colour: 'red' } });
  const before = vault.read('.errand/settings.json');
  const { code, stdout, stderr } = await vault.errand('call', 'good', 'echo', 'text=still');
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'still\n' });
  const lines = stderr.trimEnd().split('\n');
  expect(lines).toEqual(
    [
      /^\.errand\/settings\.json:1:\d+: mcpServers\[1\]\.name: Another server has this name\. Write for example "GOOD-2"\.$/,
      /mcpServers\[2\]\.name: "python" is the language of other code blocks\. Write for example "python-server"\.$/,
      /mcpServers\[3\]\.name: A name has only letters .* Write for example "a-b"\.$/,
      /mcpServers\[4\]\.localConfig\.command: /,
      /mcpServers\[5\]\.transport: /,
      /colour: /,
    ].map((pattern) => expect.stringMatching(pattern)),
  );
  expect((await vault.json('servers', '--offline')).json).toMatchObject({
    servers: [{ name: 'good' }],
  });
  const unknown = await vault.errand('call', 'python', 'echo', 'text=no');
  expect(unknown.code).toBe(2);
  expect(unknown.stderr).toContain('There is no server "python". There are: good.');
  const place =
    /^The settings entry of "bare" cannot be read\. \.errand\/settings\.json:1:\d+: mcpServers\[4\]\.localConfig\.command: /;
  const block = (server: string) => `\`\`\`${server}\ntool: echo\ntext: hi\n\`\`\`\n`;
  writeFileSync(vault.path('Note.md'), `${block('Bare')}\n${block('good')}\n${block('python')}`);
  const named = await vault.json('run', 'Note.md');
  expect(named).toMatchObject({
    code: 2,
    json: {
      results: [
        { server: 'bare', status: 'error', written: false, error: { code: 'settings_invalid' } },
        { server: 'good', status: 'success' },
      ],
    },
  });
  expect(named.json).toHaveProperty('results.0.error.message', expect.stringMatching(place));
  expect(await vault.errand('blocks', 'Note.md')).toMatchObject({
    code: 2,
    stdout: expect.stringContaining('The settings entry of "bare" cannot be read.'),
  });
  await vault.errand('servers', 'disable', 'good');
  const after = JSON.parse(vault.read('.errand/settings.json'));
  expect(after.mcpServers.slice(1)).toEqual(JSON.parse(before).mcpServers.slice(1));
  expect(after.colour).toBe('red');
});

test(
  'a secret that is missing is named with what to type, and only its server fails',
  patient,
  async () => {
    using vault = TestVault.trusted();
    const { localConfig } = vault.scripted();
    const env = { TOKEN: `\${secret:crm}` };
    vault.add(
      vault.scripted({}, localConfig ? { localConfig: { ...localConfig, env } } : {}),
      vault.scripted({}, { name: 'other' }),
    );
    const message = 'Server "fix" needs the secret "crm", which is not set.';
    expect(await vault.json('call', 'fix', 'echo', 'text=a')).toMatchObject({
      code: 2,
      json: { error: { code: 'secret_missing', message } },
    });
    expect(await vault.errand('servers', 'test', 'fix')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(message),
    });
    expect(await vault.errand('call', 'other', 'echo', 'text=b')).toMatchObject({ stdout: 'b\n' });
  },
);
