import { readdirSync, statSync } from 'node:fs';
import { HostError } from '@errand/host';
import { expect, test } from 'vitest';
import { ConnectionBench, callText, soon } from '../testing/connection-bench.ts';
import { journalled, readJournal } from '../testing/journal.ts';
import { scriptedServerConfig } from '../testing/scripted-server-config.ts';

test('connects, lists the tools and calls one', async () => {
  await using bench = new ConnectionBench();
  const connection = await bench.local({ instructions: 'Be kind.' });
  expect(connection.server).toEqual({
    name: 'scripted',
    version: '1.0.0',
    protocolVersion: '2025-11-25',
    instructions: 'Be kind.',
  });
  const tools = await connection.listTools(soon());
  expect(tools.find(({ name }) => name === 'echo')).toMatchObject({
    annotations: { readOnlyHint: true },
    inputSchema: { required: ['text'] },
  });
  expect(await callText(connection, 'echo', { text: 'hello' })).toBe('hello');
  await connection.ping(soon());
});

test.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'])(
  'speaks %s',
  async (protocolVersion) => {
    await using bench = new ConnectionBench();
    const connection = await bench.local({ protocolVersion });
    expect(connection.server.protocolVersion).toBe(protocolVersion);
    expect((await connection.listTools(soon())).length).toBeGreaterThan(10);
    expect(await callText(connection, 'echo', { text: 'ü' })).toBe('ü');
    await connection.ping(soon());
  },
);

test('remembers that a server only speaks the newer era, and starts it only once', async () => {
  await using bench = new ConnectionBench();
  const script = { protocolVersion: '2026-07-28' };
  await bench.local(script, { id: 'new' });
  expect(bench.host.eras.get('new')).toBe('modern');
  await bench.local(script, { id: 'new' });
  expect(readJournal(bench.journal).filter(({ kind }) => kind === 'started')).toHaveLength(2);
});

test('speaks only the era that the entry pins', async () => {
  await using bench = new ConnectionBench();
  const refused = bench.local({ protocolVersion: '2026-07-28' }, { era: 'legacy' });
  await expect(refused).rejects.toMatchObject({ code: 'server_unavailable' });
  const pinned = await bench.local({ protocolVersion: '2026-07-28' }, { era: 'modern' });
  expect(pinned.server.protocolVersion).toBe('2026-07-28');
});

test('passes results on as they came, unknown parts included', async () => {
  await using bench = new ConnectionBench();
  for (const protocolVersion of ['2025-11-25', '2026-07-28']) {
    const connection = await bench.local({ protocolVersion });
    const call = { tool: 'structured', arguments: {} };
    expect(await connection.callTool(call, { signal: soon() })).toEqual({
      content: [
        { type: 'text', text: '{"sum":3}' },
        { type: 'hologram', shape: 'cube' },
      ],
      structuredContent: { sum: 3 },
    });
    const failed = await connection.callTool({ tool: 'fail', arguments: {} }, { signal: soon() });
    expect(failed.isError).toBe(true);
  }
});

test('reports progress, the last step included', async () => {
  await using bench = new ConnectionBench();
  const connection = await bench.local();
  const steps: unknown[] = [];
  await connection.callTool(
    { tool: 'progress', arguments: {} },
    { signal: soon(), onProgress: (step) => steps.push(step) },
  );
  expect(steps).toEqual([1, 2, 3].map((n) => ({ progress: n, total: 3, message: `step ${n}` })));
});

test.each(['2025-11-25', '2026-07-28'])(
  'tells a %s server that a call is cancelled',
  async (version) => {
    await using bench = new ConnectionBench();
    const connection = await bench.local({ protocolVersion: version });
    const controller = new AbortController();
    const call = connection.callTool(
      { tool: 'hang', arguments: {} },
      { signal: controller.signal },
    );
    await journalled(bench.journal, ({ tool }) => tool === 'hang', soon());
    controller.abort();
    await expect(call).rejects.toMatchObject({ code: 'cancelled' });
    await journalled(bench.journal, ({ kind }) => kind === 'cancelled', soon());
    expect(await callText(connection, 'echo', { text: 'still here' })).toBe('still here');
  },
);

test('says why a call was ended: its deadline, or the reason given', async () => {
  await using bench = new ConnectionBench();
  const connection = await bench.local();
  const hang = (signal: AbortSignal) =>
    connection.callTool({ tool: 'hang', arguments: {} }, { signal });
  await expect(hang(AbortSignal.timeout(20))).rejects.toMatchObject({ code: 'timeout' });
  const stopped = new HostError('stopped', 'Execution stopped by user');
  await expect(hang(AbortSignal.abort(stopped))).rejects.toBe(stopped);
});

test.each(['2025-11-25', '2026-07-28'])(
  'notices that the tools of a %s server changed',
  async (version) => {
    await using bench = new ConnectionBench();
    const connection = await bench.local({ protocolVersion: version });
    const changed = new Promise<void>((resolve) => connection.onToolsChanged(resolve));
    await callText(connection, 'change-tools');
    await changed;
    const names = (await connection.listTools(soon())).map(({ name }) => name);
    expect(names).toContain('extra');
  },
);

test('reads a list of many pages, and ends one that would not end', async () => {
  await using bench = new ConnectionBench();
  const paged = await bench.local({ pageSize: 4 });
  const whole = await bench.local();
  expect(await paged.listTools(soon())).toEqual(await whole.listTools(soon()));
  const endless = await bench.local({ endlessPages: true });
  await expect(endless.listTools(soon())).rejects.toThrow('does not end');
});

test.each(['2025-11-25', '2026-07-28'])(
  'lists broken tools of a %s server beside the good ones',
  async (version) => {
    await using bench = new ConnectionBench();
    const connection = await bench.local({ protocolVersion: version, badSchemas: true });
    const tools = await connection.listTools(soon());
    const broken = tools.filter((tool) => tool.broken !== undefined).map(({ name }) => name);
    expect(broken).toEqual([
      'no-schema',
      'schema-of-text',
      'bad-pattern',
      'dangling-reference',
      'bad-required',
    ]);
    expect(await callText(connection, 'echo', { text: 'fine' })).toBe('fine');
  },
);

test('gives the server its environment, PATH and an empty folder, and nothing secret of ours', async () => {
  await using bench = new ConnectionBench();
  process.env.ERRAND_TEST_SECRET = 'hidden';
  const connection = await bench.local(
    {},
    { localConfig: { command: '', ...scriptedServerConfig().localConfig, env: { GIVEN: 'yes' } } },
  );
  const { env, cwd } = JSON.parse(await callText(connection, 'environment'));
  expect(env).toMatchObject({ GIVEN: 'yes', PATH: process.env.PATH, HOME: process.env.HOME });
  expect(env).not.toHaveProperty('ERRAND_TEST_SECRET');
  expect(cwd).toBe(bench.neutralFolder);
  expect(statSync(cwd).mode & 0o777).toBe(0o700);
  expect(readdirSync(cwd)).toEqual([]);
});

test('removes the records of children that exited', async () => {
  await using bench = new ConnectionBench();
  const connection = await bench.local();
  expect(readdirSync(bench.childrenFolder)).toHaveLength(1);
  await connection[Symbol.asyncDispose]();
  expect(readdirSync(bench.childrenFolder)).toEqual([]);
  await expect(connection.ping(soon())).rejects.toMatchObject({
    code: 'server_unavailable',
    facts: { neverSent: true },
  });
});
