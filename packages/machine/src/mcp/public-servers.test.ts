import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Connection } from '@errand/host';
import { expect, test } from 'vitest';
import { ConnectionBench, callText, soon } from '../testing/connection-bench.ts';
import { scriptedServerConfig } from '../testing/scripted-server-config.ts';

const require = createRequire(import.meta.url);
const programs = {
  everything: require.resolve('@modelcontextprotocol/server-everything/dist/index.js'),
  filesystem: require.resolve('@modelcontextprotocol/server-filesystem/dist/index.js'),
  memory: require.resolve('@modelcontextprotocol/server-memory/dist/index.js'),
  mcpvault: fileURLToPath(new URL('../server.js', import.meta.resolve('@bitbonsai/mcpvault'))),
  commands: require.resolve('mcp-server-commands/build/index.js'),
};

test('speaks to server-everything over stdio', async () => {
  await using bench = new ConnectionBench();
  const connection = await start(bench, 'everything', ['stdio']);
  await exercise(connection);
});

test.each(['sse', 'streamableHttp'] as const)(
  'speaks to server-everything over %s',
  async (mode) => {
    await using bench = new ConnectionBench();
    await using server = await everythingOverHttp(mode);
    const path = mode === 'sse' ? 'sse' : 'mcp';
    const connection = await bench.external(`http://127.0.0.1:${server.port}/${path}`, {
      transport: mode === 'sse' ? 'sse' : 'http',
    });
    await exercise(connection);
    server.kill();
    expect((await connection.lost).code).toBe('server_unavailable');
  },
);

test('speaks to server-filesystem, which wants our root', async () => {
  await using bench = new ConnectionBench();
  writeFileSync(join(bench.folder, 'note.md'), '# Hello\n');
  const connection = await start(bench, 'filesystem', [bench.folder]);
  expect(
    await callText(connection, 'read_text_file', { path: join(bench.folder, 'note.md') }),
  ).toBe('# Hello\n');
});

test('speaks to server-memory', async () => {
  await using bench = new ConnectionBench();
  const env = { MEMORY_FILE_PATH: join(bench.folder, 'memory.jsonl') };
  const connection = await start(bench, 'memory', [], { env });
  const entities = [{ name: 'Ada', entityType: 'person', observations: ['counts'] }];
  await callText(connection, 'create_entities', { entities });
  expect(await callText(connection, 'read_graph')).toContain('Ada');
});

test.each(['legacy', 'modern'] as const)('speaks to mcpvault in the %s era', async (era) => {
  await using bench = new ConnectionBench();
  writeFileSync(join(bench.folder, 'note.md'), 'Some text.\n');
  const connection = await start(bench, 'mcpvault', [bench.folder], {}, era);
  expect(connection.server.protocolVersion).toBe(era === 'modern' ? '2026-07-28' : '2025-11-25');
  expect(await connection.listTools(soon())).toHaveLength(18);
  expect(await callText(connection, 'read_note', { path: 'note.md' })).toContain('Some text.');
});

test('speaks to a server of 2024-11-05', async () => {
  await using bench = new ConnectionBench();
  const connection = await start(bench, 'commands', []);
  expect(connection.server.protocolVersion).toBe('2024-11-05');
  expect(await connection.listTools(soon())).toHaveLength(1);
});

async function exercise(connection: Connection): Promise<void> {
  const tools = await connection.listTools(soon());
  expect(tools.length).toBeGreaterThan(10);
  expect(tools.filter(({ broken }) => broken !== undefined)).toEqual([]);
  expect(await callText(connection, 'echo', { message: 'hi' })).toBe('Echo: hi');
  const steps: number[] = [];
  await connection.callTool(
    { tool: 'trigger-long-running-operation', arguments: { duration: 0.1, steps: 2 } },
    { signal: soon(), onProgress: ({ progress }) => steps.push(progress) },
  );
  expect(steps[0]).toBe(1);
  await connection.ping(soon());
  const { content } = connection;
  if (content === undefined) throw new Error('It has resources and prompts.');
  expect(content.features).toMatchObject({ resources: true, subscriptions: true, prompts: true });
  const listed = await content.request({ method: 'resources/list', params: {} }, soon());
  const resources = listed.resources as readonly { readonly uri: string }[];
  const uri = resources[0]?.uri ?? '';
  expect(
    await content.request({ method: 'resources/read', params: { uri } }, soon()),
  ).toMatchObject({ contents: [{ uri }] });
  const unknown = { method: 'resources/read', params: { uri: 'demo://no/such/thing' } } as const;
  await expect(content.request(unknown, soon())).rejects.toMatchObject({ code: 'invalid_params' });
  (await content.subscribe(uri, soon()))[Symbol.dispose]();
}

function start(
  bench: ConnectionBench,
  program: keyof typeof programs,
  args: readonly string[],
  config: { readonly env?: Readonly<Record<string, string>> } = {},
  era?: 'legacy' | 'modern',
): Promise<Connection> {
  const localConfig = { command: process.execPath, args: [programs[program], ...args], ...config };
  return bench.start(scriptedServerConfig({}, { localConfig, ...(era && { era }) }));
}

async function everythingOverHttp(mode: string) {
  const port = await freePort();
  const child = spawn(process.execPath, [programs.everything, mode], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  while (!log.includes(String(port))) log += String(await once(child.stderr, 'data'));
  return {
    port,
    kill: () => child.kill('SIGKILL'),
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
