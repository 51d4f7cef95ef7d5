import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Connection, ConnectStep, DockerConfig, ServerConfig } from '@errand/host';
import { expect, test } from 'vitest';
import {
  containersOf,
  managedConnector,
  managedServer,
  repositoryFolder,
  scriptedContainer,
  testEngine,
} from '../testing/docker.ts';
import { journalled } from '../testing/journal.ts';

const signal = AbortSignal.timeout(120_000);

test('starts a container, calls a tool over its standard streams and removes it', async () => {
  const server = scriptedContainer({ stderr: 'ready\n' });
  const steps: string[] = [];
  const onStep = ({ name }: ConnectStep) => steps.push(name);
  {
    await using connection = await managedConnector().connect(server, { signal, onStep });
    expect([...new Set(steps)]).toEqual(['start', 'handshake']);
    expect((await connection.listTools(signal)).map(({ name }) => name)).toContain('echo');
    expect(await echo(connection, 'hello')).toBe('hello');
    await connection.ping(signal);
    expect(connection.lastOutput()).toBe('ready');
    expect(await containersOf(server)).toMatchObject([
      { Names: [`/${server.dockerConfig?.containerName}`], State: 'running' },
    ]);
  }
  expect(await containersOf(server)).toEqual([]);
});

test('carries answers of 10 MiB and 20 MB of log', async () => {
  await using connection = await managedConnector().connect(scriptedContainer(), { signal });
  const bytes = 10 * 1024 * 1024;
  const large = await connection.callTool({ tool: 'large', arguments: { bytes } }, { signal });
  expect(String(large.content[0]?.text)).toHaveLength(bytes);
  await connection.callTool({ tool: 'stderr', arguments: { bytes: 20_000_000 } }, { signal });
  expect(connection.lastOutput().split('\n')).toHaveLength(20);
  expect(await echo(connection, 'still here')).toBe('still here');
});

test('a host keeps nothing of 300 MB that a container writes to standard error but the end', async () => {
  const program = fileURLToPath(new URL('../testing/flooded-docker-host.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [program]);
  const { grownBy, lastOutput } = JSON.parse(stdout);
  expect(lastOutput).toBeGreaterThan(1_000);
  expect(lastOutput).toBeLessThanOrEqual(64 * 1024);
  expect(grownBy).toBeLessThan(15_000_000);
}, 60_000);

test('passes environment, limits, network and mounts on to the container', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'errand-mount-'));
  try {
    const base = scriptedContainer({ journal: '/data/journal' }, { env: { GREETING: 'a=b c' } });
    const config: DockerConfig = {
      image: '',
      containerName: '',
      ...base.dockerConfig,
      memory: '128m',
      cpus: 0.5,
      network: 'none',
      mounts: [
        ...(base.dockerConfig?.mounts ?? []),
        { source: folder, target: '/data', writable: true },
      ],
    };
    const server = { ...base, dockerConfig: config };
    await using connection = await managedConnector().connect(server, { signal });
    const { content } = await connection.callTool(
      { tool: 'environment', arguments: {} },
      { signal },
    );
    expect(JSON.parse(String(content[0]?.text))).toMatchObject({ env: { GREETING: 'a=b c' } });
    await journalled(join(folder, 'journal'), ({ kind }) => kind === 'started', signal);
    const [container] = await containersOf(server);
    const inspected = await testEngine().ask<{ HostConfig: object; Mounts: object[] }>({
      method: 'GET',
      path: `/containers/${container?.Id}/json`,
    });
    expect(inspected.HostConfig).toMatchObject({
      Memory: 128 * 1024 * 1024,
      NanoCpus: 500_000_000,
      NetworkMode: 'none',
    });
    expect(inspected.Mounts).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ Destination: '/testing', RW: false }),
        expect.objectContaining({ Destination: '/data', RW: true }),
      ]),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test.each(['stdio', 'sse', 'http'] as const)(
  'speaks to the reference server over %s and leaves nothing',
  async (transport) => {
    const server = everything(transport);
    {
      await using connection = await managedConnector().connect(server, { signal });
      const tools = await connection.listTools(signal);
      expect(tools.map(({ name }) => name)).toContain('echo');
      const call = { tool: 'echo', arguments: { message: 'hello' } };
      const { content } = await connection.callTool(call, { signal });
      expect(content).toEqual([{ type: 'text', text: 'Echo: hello' }]);
      expect(connection.lastOutput()).not.toBe('');
    }
    expect(await containersOf(server)).toEqual([]);
  },
);

test('gives a second host of the same vault a container beside the first', async () => {
  const server = scriptedContainer();
  await using first = await managedConnector().connect(server, { signal });
  await using second = await managedConnector().connect(server, { signal });
  expect(await echo(first, 'one')).toBe('one');
  expect(await echo(second, 'two')).toBe('two');
  const names = (await containersOf(server)).map(({ Names }) => Names[0]).sort();
  const wanted = `/${server.dockerConfig?.containerName}`;
  expect(names).toEqual([wanted, expect.stringMatching(`^${wanted}-[0-9a-f]{6}$`)]);
});

test('ends a server that ignores the end of its input and TERM', async () => {
  const server = scriptedContainer({ onEndOfInput: 'ignore', ignoreTerm: true });
  const connection = await managedConnector().connect(server, { signal });
  await connection[Symbol.asyncDispose]();
  expect(await containersOf(server)).toEqual([]);
});

test('reports at once that the container exited, and removes it', async () => {
  const server = scriptedContainer();
  await using connection = await managedConnector().connect(server, { signal });
  const call = connection.callTool(
    { tool: 'crash', arguments: { words: 'no cheese' } },
    { signal },
  );
  await expect(call).rejects.toMatchObject({
    code: 'container_exited',
    message: expect.stringContaining('exited with code 7'),
    facts: { exitCode: 7, lastOutput: 'no cheese' },
  });
  expect(await connection.lost).toMatchObject({ code: 'container_exited' });
  await connection[Symbol.asyncDispose]();
  expect(await containersOf(server)).toEqual([]);
});

test('reports that the container was removed', async () => {
  const server = scriptedContainer();
  await using connection = await managedConnector().connect(server, { signal });
  const [container] = await containersOf(server);
  const path = `/containers/${container?.Id}`;
  await testEngine().ask({ method: 'DELETE', path, query: { force: 'true' } });
  expect(await connection.lost).toMatchObject({ code: 'container_exited' });
});

test.each(['sse', 'http'] as const)(
  'reports that a container behind %s was killed',
  async (transport) => {
    const server = everything(transport);
    await using connection = await managedConnector().connect(server, { signal });
    const [container] = await containersOf(server);
    const minute = { duration: 60, steps: 60 };
    const tool = 'trigger-long-running-operation';
    const call = connection.callTool({ tool, arguments: minute }, { signal });
    await testEngine().ask({ method: 'POST', path: `/containers/${container?.Id}/kill` });
    const reason = { code: 'container_exited', facts: { exitCode: 137 } };
    await expect(call).rejects.toMatchObject(reason);
    expect(await connection.lost).toMatchObject(reason);
    await connection[Symbol.asyncDispose]();
    expect(await containersOf(server)).toEqual([]);
  },
);

async function echo(connection: Connection, text: string): Promise<unknown> {
  const { content } = await connection.callTool({ tool: 'echo', arguments: { text } }, { signal });
  return content[0]?.text;
}

function everything(transport: ServerConfig['transport']): ServerConfig {
  const argument = { stdio: 'stdio', sse: 'sse', http: 'streamableHttp' }[transport];
  return managedServer(
    {
      command: [
        'node',
        '/srv/node_modules/@modelcontextprotocol/server-everything/dist/index.js',
        argument,
      ],
      mounts: [{ source: repositoryFolder('node_modules'), target: '/srv/node_modules' }],
      ...(transport !== 'stdio' && { ports: { '3001': 0 } }),
    },
    { transport },
  );
}
