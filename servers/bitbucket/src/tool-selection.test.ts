import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { editions, startBitbucket } from './testing/start-bitbucket.ts';
import { startServer } from './testing/start-server.ts';

const destructive = ['decline_pull_request', 'delete_comment', 'merge_pull_request'];
const pipelines = ['get_pipeline', 'list_pipelines', 'run_pipeline'];

describe.each(editions)('%s', (edition) => {
  const isCloud = edition === 'cloud';

  async function tools(args: readonly string[], options?: { version: string }) {
    await using bitbucket = await startBitbucket(edition, options);
    await using server = await startServer({ env: bitbucket.env, args });
    return (await server.client.listTools()).tools;
  }
  const names = async (...given: Parameters<typeof tools>) =>
    (await tools(...given)).map(({ name }) => name).sort();

  test('offers what fits, with what each tool needs, and nothing destructive until it is switched on', async () => {
    const all = await tools(['--destructive']);
    expect(all).toHaveLength(isCloud ? 33 : 30);
    const usual = await names([]);
    const off = isCloud ? [...destructive, 'run_pipeline'] : destructive;
    expect(
      all
        .map(({ name }) => name)
        .filter((name) => !usual.includes(name))
        .sort(),
    ).toEqual(off.sort());
    for (const { name, annotations, _meta, outputSchema } of all) {
      const isReading = /^(list|get|search|compare|my|health)/.test(name);
      expect({ name, ...annotations }).toMatchObject({
        name,
        readOnlyHint: isReading,
        ...(!isReading && { destructiveHint: off.includes(name) }),
      });
      expect(outputSchema).toBeDefined();
      if (name === 'health_check') continue;
      expect({ name, _meta }).toMatchObject({
        name,
        _meta: {
          toolset: expect.any(String),
          serverTypes: pipelines.includes(name) ? ['cloud'] : ['cloud', 'data-center'],
          leastVersion: expect.stringMatching(/^\d+\.\d+$/),
          capability: expect.any(String),
          permission: isReading ? 'read' : 'write',
        },
      });
    }
  });

  test('offers only tools that read, only some, and only groups of them', async () => {
    const reading = await names(['--read-only', '--destructive']);
    expect(reading).toContain('get_pull_request');
    expect(reading.filter((name) => /^(create|add|set|update|merge|review)/.test(name))).toEqual(
      [],
    );
    expect(await names(['--tools', 'get_file,list_branches'])).toEqual([
      'get_file',
      'health_check',
      'list_branches',
    ]);
    expect(await names(['--toolsets', 'builds'])).toEqual(['get_build_status', 'health_check']);
  });
});

test('leaves out what an older Data Center cannot do, and a call that gets through says so', async () => {
  await using bitbucket = await startBitbucket('data-center', { version: '7.21.0' });
  await bitbucket.add('web');
  await using server = await startServer({ env: bitbucket.env });
  const { tools } = await server.client.listTools();
  expect(tools.map(({ name }) => name)).not.toContain('resolve_comment');
  const merge = { repository: 'ACME/web', pull_request: 1 };
  expect(await server.call('merge_pull_request', merge)).toMatchObject({
    error: 'not_found',
    message: expect.stringContaining('switch it on: --destructive'),
  });
  const comment = { repository: 'ACME/web', pull_request: 1, comment: 1 };
  expect(await server.call('resolve_comment', comment)).toMatchObject({
    error: 'not_found',
    message: 'resolve_comment needs Bitbucket Data Center 8.9 or later; this one is 7.21.0.',
  });
  expect(await server.call('health_check')).toMatchObject({
    status: 'healthy',
    edition: 'data-center',
    version: '7.21.0',
    user: 'Ada Lovelace',
  });
  const probes = bitbucket.proxy.requests.filter(({ path }) => path.includes('properties'));
  expect(probes).toHaveLength(1);
});

test('lists its tools although Bitbucket is away, and its health says what is wrong', async () => {
  const env = { BITBUCKET_URL: 'http://127.0.0.1:9/bitbucket', BITBUCKET_TOKEN: 'dc-secret-1' };
  await using server = await startServer({ env });
  expect((await server.client.listTools()).tools.length).toBeGreaterThan(20);
  const health = await server.call('health_check');
  expect(health).toMatchObject({ status: 'degraded' });
  expect(JSON.stringify(health)).not.toContain('secret');
});

test.each([
  [['--url', 'no address'], 'is no web address'],
  [['--url', 'https://ada:pass@git.example.org'], 'BITBUCKET_TOKEN'],
  [['--edition', 'server'], 'cloud or data-center'],
  [['--tools', 'merge'], 'merge is not known'],
])('does not start with %j', async (args, sentence) => {
  const { execFile } = await import('node:child_process');
  const main = join(import.meta.dirname, 'main.ts');
  const { code, stderr } = await new Promise<{ code: unknown; stderr: string }>((resolve) => {
    execFile(process.execPath, [main, ...args], (error, _stdout, errors) =>
      resolve({ code: error?.code, stderr: errors }),
    );
  });
  expect(code).toBe(2);
  expect(stderr).toContain(sentence);
});
