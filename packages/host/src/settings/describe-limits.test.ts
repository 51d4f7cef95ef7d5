import { expect, test } from 'vitest';
import type { LocalConfig, ServerConfig } from '../settings.ts';
import { exampleServer } from '../testing/example-server.ts';
import { describeLimits } from './describe-limits.ts';

const local = (localConfig: LocalConfig) => describeLimits({ ...exampleServer, localConfig }, []);

test.each<LocalConfig>([
  { command: 'npx', args: ['-y', 'some-server'] },
  { command: '/opt/bin/uvx', args: ['some-server'] },
  { command: 'C:\\nodejs\\npx.cmd', args: ['some-server'] },
  { command: 'docker', args: ['run', '-i', 'mcp/x'] },
  { command: 'pnpm', args: ['dlx', 'some-server'] },
])('says that an approval does not cover what %o downloads', (config) => {
  expect(local(config)).toEqual([
    expect.stringMatching(/^your approval does not cover: what .*downloads/),
  ]);
});

test('says nothing of programs that lie elsewhere', () => {
  expect(local({ command: 'x', cwd: '/opt/x' })).toEqual([]);
  expect(local({ command: 'node', args: ['/opt/x.js'] })).toEqual([]);
});

test('says that a tag may become another image, and a server another', () => {
  const image = (name: string): ServerConfig => ({
    ...exampleServer,
    deploymentType: 'managed',
    dockerConfig: { image: name, containerName: 'errand-x' },
  });
  expect(describeLimits(image('mcp/x:1'), [])).toEqual([expect.stringContaining('digest')]);
  expect(describeLimits(image(`mcp/x@sha256:${'0'.repeat(64)}`), [])).toEqual([]);
  const remote = { ...exampleServer, deploymentType: 'external' } as const;
  expect(describeLimits(remote, [])).toHaveLength(1);
});

test('says that files of the vault may load others', () => {
  const file = { path: 's.sh', identity: '0'.repeat(64) };
  expect(describeLimits(exampleServer, [file])).toHaveLength(1);
});
