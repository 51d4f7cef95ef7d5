import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { openHttp } from './testing/open-http.ts';
import { Program } from './testing/start-program.ts';

const fixture = new URL('./testing/fixture-program.ts', import.meta.url);
const greeting = ['--greeting', 'hello'];

test('hands its options to the server and its resources to the tools', async () => {
  await using program = new Program(fixture, greeting);
  await program.client.initialize();
  expect(await program.client.call('say')).toMatchObject({
    result: { content: [{ text: 'hello' }] },
  });
  expect(await program.client.call('health_check')).toMatchObject({
    result: { structuredContent: { status: 'healthy', issues: [], greeting: 'hello' } },
  });
});

test('takes an option from the environment', async () => {
  await using program = new Program(fixture, [], { GREETING: 'from afar' });
  await program.client.initialize();
  expect(await program.client.call('say')).toMatchObject({
    result: { content: [{ text: 'from afar' }] },
  });
});

test('ends at once when its input ends, even with timers held and a call that hangs', async () => {
  await using program = new Program(fixture, greeting);
  const { client } = program;
  await client.initialize();
  client.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'hang' } });
  await client.request('ping');
  client.end();
  expect(await program.exited).toEqual({ code: 0, signal: null });
});

test('answers what was asked just before the input ended', async () => {
  await using program = new Program(fixture, greeting);
  const { client } = program;
  await client.initialize();
  client.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'say' } });
  client.end();
  expect(await client.next()).toMatchObject({ id: 1, result: { content: [{ text: 'hello' }] } });
  expect(await program.exited).toEqual({ code: 0, signal: null });
  expect(program.errors).toContain('the signal came');
  expect(program.errors).toContain('the resources are closed');
});

test('ends when nobody reads its log or its answers', async () => {
  const child = spawn(process.execPath, [fileURLToPath(fixture), ...greeting]);
  child.stdin.write(
    [
      '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}',
      '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"chatter"}}',
      '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"flood","arguments":{"bytes":4000000}}}',
      '',
    ].join('\n'),
  );
  await once(child.stdout, 'readable');
  child.stdin.end();
  const [code] = await once(child, 'exit');
  expect(code).toBe(0);
});

test('ends in order on SIGTERM: running calls finish, resources are closed', async () => {
  await using program = new Program(fixture, [...greeting, '--http', '0']);
  const url = JSON.parse(await program.logged('started')).urls[0];
  const client = await openHttp(url);
  const params = { name: 'count', arguments: { to: 20 }, _meta: { progressToken: 'p' } };
  const response = await client.post({ id: 1, method: 'tools/call', params });
  program.child.kill('SIGTERM');
  expect(await response.text()).toContain('"structuredContent":{"counted":20}');
  expect(await program.exited).toEqual({ code: 0, signal: null });
  expect(program.errors).toContain('the resources are closed');
});

test('goes on when a handler has forgotten a promise', async () => {
  await using program = new Program(fixture, greeting);
  await program.client.initialize();
  await program.client.call('forget');
  await program.logged('nobody waits for this');
  expect(await program.client.call('say')).toMatchObject({ result: {} });
});

test.each([
  [
    ['--nonsense'],
    2,
    "fixture: Unknown option '--nonsense'. Options are listed by: fixture --help",
  ],
  [[], 2, 'fixture: Give fixture --greeting TEXT or set GREETING.'],
  [[...greeting, '--fail'], 1, 'fixture: The index could not be opened.'],
  [[...greeting, '--http', '0', '--host', '0.0.0.0'], 1, 'Set MCP_AUTH_TOKEN to a secret'],
])('says in one line why it does not start with %j', async (args, code, message) => {
  await using program = new Program(fixture, args);
  expect(await program.exited).toEqual({ code, signal: null });
  expect(program.errors).toContain(message);
  expect(program.errors.trim().split('\n')).toHaveLength(1);
});

test('says that a port is in use', async () => {
  await using first = new Program(fixture, [...greeting, '--http', '0']);
  const { port } = new URL(JSON.parse(await first.logged('started')).urls[0]);
  await using second = new Program(fixture, [...greeting, '--sse', port]);
  expect(await second.exited).toEqual({ code: 1, signal: null });
  expect(second.errors).toContain(`Port ${port} is already in use.`);
});

test('shows its help and its version', async () => {
  const run = async (argument: string) => {
    const child = spawn(process.execPath, [fileURLToPath(fixture), argument]);
    return (await child.stdout.toArray()).join('');
  };
  expect(await run('--help')).toContain('--greeting TEXT');
  expect(await run('--version')).toBe('1.2.3\n');
});
