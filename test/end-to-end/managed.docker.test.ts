import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test, vi } from 'vitest';
import { patient, TestVault } from './errand-process.ts';

const image = process.env.ERRAND_TEST_IMAGE ?? '';
const engine = process.env.ERRAND_TEST_DOCKER_HOST ?? '';

/** A server in one line. Told to be stubborn, neither the end of its input nor TERM ends it. */
const program = `
  const answers = {
    initialize: () => ({ protocolVersion: '2025-06-18', capabilities: { tools: {} },
      serverInfo: { name: 'boxed', version: '1.0.0' } }),
    ping: () => ({}),
    'tools/list': () => ({ tools: [{ name: 'where', inputSchema: { type: 'object' } }] }),
    'tools/call': () => ({ content: [{ type: 'text', text: process.env.PLACE }] }),
  };
  if (process.env.STUBBORN) {
    process.on('SIGTERM', () => {});
    setInterval(() => {}, 1000);
  }
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    if (id === undefined) return;
    const result = answers[method]?.();
    const answer = result ? { result } : { error: { code: -32601, message: 'No.' } };
    console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
  });`;

test(
  'a container is added, called and listed from the command line, and leaves nothing',
  patient,
  async () => {
    using vault = engineVault();
    const added = await add(vault, 'boxed-a', '--env', 'PLACE=a box');
    expect(added).toMatchObject({ code: 0, stdout: 'Added boxed-a, enabled.\n' });
    expect(await vault.errand('call', 'boxed-a', 'where')).toEqual({
      code: 0,
      stdout: 'a box\n',
      stderr: '',
    });
    expect((await vault.json('servers')).json).toMatchObject({
      servers: [{ deploymentType: 'managed', connectionState: 'connected', tools: 1 }],
    });
    expect(await containersOf('boxed-a')).toEqual([]);
    const missing = ['servers', 'add', 'absent', '--json', '--image', 'errand-test/not-there:1'];
    const { code, stdout } = await vault.errand(...missing);
    expect({ code, json: JSON.parse(stdout) }).toMatchObject({
      code: 1,
      json: { enabled: false, error: { code: 'image_missing' } },
    });
  },
);

test(
  'a container that a killed errand left running is removed by the next start',
  patient,
  async () => {
    using vault = engineVault();
    await add(vault, 'boxed-b', '--disabled', '--env', 'STUBBORN=1');
    await vault.errand('servers', 'enable', 'boxed-b');
    using errand = vault.start('gateway', '--port', '0');
    await vi.waitFor(
      async () => expect(await containersOf('boxed-b')).toEqual(['running']),
      patient,
    );
    errand.child.kill('SIGKILL');
    await once(errand.child, 'exit');
    expect(await containersOf('boxed-b')).toEqual(['running']);
    vault.add(vault.scripted());
    expect((await vault.errand('call', 'fix', 'echo', 'text=a')).code).toBe(0);
    await vi.waitFor(async () => expect(await containersOf('boxed-b')).toEqual([]), patient);
  },
);

test('without an engine a container says where it was looked for', patient, async () => {
  using vault = engineVault();
  vault.env.DOCKER_HOST = 'unix:///nowhere/docker.sock';
  const { code, stderr } = await add(vault, 'boxed-c');
  expect(code).toBe(1);
  expect(stderr).toContain('/nowhere/docker.sock');
});

function engineVault(): TestVault {
  const vault = TestVault.trusted();
  vault.env.DOCKER_HOST = engine;
  return vault;
}

function add(vault: TestVault, name: string, ...options: readonly string[]) {
  const command = ['--', 'node', '-e', program];
  return vault.errand('servers', 'add', name, '--image', image, ...options, ...command);
}

/** The states of a server's containers. */
async function containersOf(server: string): Promise<readonly string[]> {
  const filters = JSON.stringify({ name: [`errand-${server}`] });
  const path = `/containers/json?all=true&filters=${encodeURIComponent(filters)}`;
  const asked = request({ socketPath: engine.replace('unix://', ''), path });
  const [response] = await once(asked.end(), 'response');
  const found = JSON.parse(await text(response)) as readonly { readonly State: string }[];
  return found.map(({ State }) => State);
}
