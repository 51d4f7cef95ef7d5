import { resolve } from 'node:path';
import { mcpClientNames } from '@errand/wire';
import { expect, test } from 'vitest';
import { clientConfig } from './client-config.ts';

const declared = {
  vault: { value: 'DIR', description: 'The notes', env: 'VAULT_PATH', required: true },
  token: { value: 'TOKEN', description: 'A secret', env: 'TOKEN' },
  quiet: { description: 'A switch' },
};

test.each(mcpClientNames)(
  'prints for %s what starts the server as it is started here',
  (client) => {
    const args = ['--vault', 'notes', '--quiet', '--print-config', client];
    const text = clientConfig('errand-vault', declared, args, { TOKEN: 'hidden' });
    expect(text).toContain(JSON.stringify(process.argv[1]));
    expect(text).toContain(JSON.stringify(resolve('notes')));
    expect(text).toContain('--quiet');
    expect(text).not.toContain('hidden');
    expect(text).not.toContain('print-config');
  },
);

test('takes a folder from the environment, and an address where there is a port', () => {
  const env = { VAULT_PATH: '/notes' };
  const stdio = clientConfig('errand-vault', declared, ['--print-config', 'cursor'], env);
  expect(JSON.parse(stdio)).toEqual({
    mcpServers: {
      vault: { command: process.execPath, args: [process.argv[1], '--vault', '/notes'] },
    },
  });
  const args = ['--http', '3000', '--print-config', 'cursor'];
  expect(JSON.parse(clientConfig('errand-vault', declared, args, env))).toEqual({
    mcpServers: { vault: { url: 'http://127.0.0.1:3000/mcp' } },
  });
});

test('names the programs that it knows', () => {
  expect(() =>
    clientConfig('errand-vault', declared, ['--print-config', 'vi'], { VAULT_PATH: '/' }),
  ).toThrow(/No program is called "vi"\. Known: vscode, /);
});
