import { mcpClientNames, takesAddresses, writeClientConfig } from '@errand/wire';
import { expect, test } from 'vitest';
import { type ForeignProgramName, foreignPrograms, isForeignProgram } from './foreign-programs.ts';
import { readForeignConfig } from './read-foreign-config.ts';

const url = 'http://127.0.0.1:4747/mcp';
const token = 'T-0_k';

test.each(mcpClientNames.filter(takesAddresses))(
  'a configuration for %s holds the address and the token where that program looks for them',
  (program) => {
    const text = writeClientConfig(program, 'errand', { kind: 'http', url, token });
    expect(serversIn(text, program)).toMatchObject([
      {
        name: 'errand',
        transport: 'http',
        httpConfig: { url, headers: { Authorization: `Bearer ${token}` } },
      },
    ]);
    const open = writeClientConfig(program, 'errand', { kind: 'http', url });
    expect(serversIn(open, program)).toMatchObject([{ httpConfig: { url } }]);
    expect(open).not.toContain('Authorization');
  },
);

test.each(mcpClientNames)('a configuration for %s starts a command', (program) => {
  const entry = {
    kind: 'stdio',
    command: 'errand',
    args: ['gateway', '--vault', '/a "b"'],
  } as const;
  expect(serversIn(writeClientConfig(program, 'errand', entry), program)).toMatchObject([
    { name: 'errand', localConfig: { command: entry.command, args: entry.args } },
  ]);
});

test('a configuration can be written for every program that servers are imported from', () => {
  expect([...mcpClientNames].sort()).toEqual(
    Object.keys(foreignPrograms).filter(isForeignProgram).sort(),
  );
});

function serversIn(text: string, program: ForeignProgramName) {
  const file = program === 'codex' ? 'config.toml' : 'config.json';
  const target = { os: 'linux', vaultFolder: '/vault' } as const;
  const { servers, problems } = readForeignConfig(text, { file, program }, target);
  expect(problems).toEqual([]);
  return servers.map(({ server }) => server);
}
