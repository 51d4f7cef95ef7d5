import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startBitbucket } from './testing/start-bitbucket.ts';
import { startServer } from './testing/start-server.ts';

const built = join(import.meta.dirname, '../dist/main.js');

test('runs as built on Node 22, warns of nothing, and brings no description of Bitbucket along', async () => {
  await using bitbucket = await startBitbucket('data-center');
  const { git } = await bitbucket.add('web');
  await git.commit('main', 'First', { 'a.txt': 'a' });
  const program = [process.env.ERRAND_TEST_NODE22 ?? '', built];
  const env = { ...bitbucket.env, MCP_LOG_LEVEL: 'warn', NODE_OPTIONS: '' };
  await using server = await startServer({ program, env });
  expect(await server.call('list_branches', { repository: 'ACME/web' })).toMatchObject({
    branches: [{ name: 'main' }],
  });
  expect(server.stderr()).toBe('');
  expect(statSync(built).size).toBeLessThan(1024 * 1024);
});
