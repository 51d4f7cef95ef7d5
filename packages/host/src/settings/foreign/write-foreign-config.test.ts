import { expect, test } from 'vitest';
import { type ForeignProgramName, foreignPrograms, isForeignProgram } from './foreign-programs.ts';
import { readForeignConfig } from './read-foreign-config.ts';
import { takesAddresses, writeForeignConfig } from './write-foreign-config.ts';

const programs = (Object.keys(foreignPrograms) as ForeignProgramName[]).filter(isForeignProgram);
const url = 'http://127.0.0.1:4747/mcp';
const token = 'T-0_k';

test.each(programs.filter(takesAddresses))(
  'a configuration for %s holds the address and the token where that program looks for them',
  (program) => {
    const text = writeForeignConfig(program, { kind: 'http', url, token });
    expect(serversIn(text, program)).toMatchObject([
      {
        name: 'errand',
        transport: 'http',
        httpConfig: { url, headers: { Authorization: `Bearer ${token}` } },
      },
    ]);
    const open = writeForeignConfig(program, { kind: 'http', url });
    expect(serversIn(open, program)).toMatchObject([{ httpConfig: { url } }]);
    expect(open).not.toContain('Authorization');
  },
);

test.each(programs)('a configuration for %s starts a command', (program) => {
  const entry = {
    kind: 'stdio',
    command: 'errand',
    args: ['gateway', '--vault', '/a "b"'],
  } as const;
  expect(serversIn(writeForeignConfig(program, entry), program)).toMatchObject([
    { name: 'errand', localConfig: { command: entry.command, args: entry.args } },
  ]);
});

function serversIn(text: string, program: ForeignProgramName) {
  const file = program === 'codex' ? 'config.toml' : 'config.json';
  const target = { os: 'linux', vaultFolder: '/vault' } as const;
  const { servers, problems } = readForeignConfig(text, { file, program }, target);
  expect(problems).toEqual([]);
  return servers.map(({ server }) => server);
}
