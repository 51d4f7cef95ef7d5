import { newServer } from '@errand/host';
import { expect, test } from 'vitest';
import { editLaunch, removeParts } from './edit-launch.ts';
import { transportOf } from './launch-options.ts';

const local = newServer(
  {
    name: 'a',
    transport: 'stdio',
    deploymentType: 'local',
    localConfig: { command: 'node', args: ['x.js'], env: { A: '1', B: '2' }, cwd: 'sub' },
  },
  'id',
);
const remote = newServer(
  {
    name: 'a',
    transport: 'http',
    deploymentType: 'external',
    httpConfig: { url: 'https://a.example/mcp', headers: { 'X-A': '1' } },
  },
  'id',
);
const managed = newServer(
  {
    name: 'a',
    transport: 'stdio',
    deploymentType: 'managed',
    dockerConfig: { image: 'i:1', containerName: 'mine', env: { A: '1' }, network: 'none' },
  },
  'id',
);

test('a variable is added or replaced, and everything else of a command stays', () => {
  expect(editLaunch(local, [], { env: { B: '3', C: '4' } })).toEqual({
    ...local,
    localConfig: { ...local.localConfig, env: { A: '1', B: '3', C: '4' } },
  });
  expect(editLaunch(local, ['deno', 'y.ts'], {}).localConfig).toEqual({
    ...local.localConfig,
    command: 'deno',
    args: ['y.ts'],
  });
});

test('a header is added to a URL, and another transport keeps the address', () => {
  const { httpConfig, ...rest } = remote;
  expect(editLaunch(remote, [], { header: { 'X-B': '2' }, transport: 'sse' })).toEqual({
    ...rest,
    transport: 'sse',
    sseConfig: { url: httpConfig?.url, headers: { 'X-A': '1', 'X-B': '2' } },
  });
});

test('a container keeps its name, its network and its variables', () => {
  expect(editLaunch(managed, ['serve'], { image: 'i:2', memory: '64m' })).toEqual({
    ...managed,
    dockerConfig: { ...managed.dockerConfig, image: 'i:2', memory: '64m', command: ['serve'] },
  });
});

test('keeps nothing when the kind of server changes', () => {
  expect(editLaunch(local, [], { url: 'https://b.example/mcp' })).toEqual({
    ...remote,
    httpConfig: { url: 'https://b.example/mcp' },
  });
});

test('an option that does not fit the kind of server is refused', () => {
  expect(() => editLaunch(local, [], { header: { 'X-A': '1' } })).toThrow(
    '--header does not fit a local command.',
  );
  expect(() => editLaunch(remote, [], { env: { A: '1' }, memory: '1g' })).toThrow(
    '--env and --memory do not fit a server with a URL.',
  );
});

test('a sandbox stays while other things are changed, and is changed or taken away by name', () => {
  const boxed = editLaunch(local, [], { sandbox: 'bwrap' });
  expect(boxed.localConfig).toEqual({
    ...local.localConfig,
    sandbox: { kind: 'bwrap', mounts: [{ source: '.' }] },
  });
  expect(editLaunch(boxed, ['deno'], { env: { C: '1' } }).localConfig?.sandbox).toEqual(
    boxed.localConfig?.sandbox,
  );
  const mount = [{ source: 'data', writable: true }];
  const wider = editLaunch(boxed, [], { network: true, mount });
  expect(wider.localConfig?.sandbox).toEqual({ kind: 'bwrap', network: true, mounts: mount });
  expect(editLaunch(wider, [], { network: false }).localConfig?.sandbox).toEqual({
    kind: 'bwrap',
    mounts: mount,
  });
  expect(editLaunch(wider, [], { sandbox: 'none' }).localConfig).toEqual(local.localConfig);
});

test('a command is moved into a container that has no more than it is given', () => {
  const moved = editLaunch(local, [], { sandbox: 'docker' });
  expect(moved.localConfig).toBeUndefined();
  expect(moved).toMatchObject({
    deploymentType: 'managed',
    dockerConfig: {
      image: 'node:24-slim',
      command: ['node', 'x.js'],
      env: { A: '1', B: '2' },
      mounts: [{ source: '.', target: '/vault' }],
      network: 'none',
      sandboxed: true,
    },
  });
  const open = editLaunch(moved, [], { sandbox: 'docker', network: true });
  expect(open.dockerConfig).not.toHaveProperty('network');
  expect(editLaunch(moved, [], { memory: '1g' }).dockerConfig).toEqual({
    ...moved.dockerConfig,
    memory: '1g',
  });
});

test('a variable, a header and the folder are removed, and the rest stays', () => {
  const edited = editLaunch(removeParts(local, { unsetEnv: ['A'], unsetCwd: true }), [], {});
  expect(edited.localConfig).toEqual({ command: 'node', args: ['x.js'], env: { B: '2' } });
  const bare = editLaunch(removeParts(remote, { unsetHeader: ['x-a'] }), [], {});
  expect(bare.httpConfig).toEqual({ url: 'https://a.example/mcp', headers: {} });
  expect(removeParts(managed, { unsetEnv: ['A'] }).dockerConfig).toEqual({
    ...managed.dockerConfig,
    env: {},
  });
});

test.each([
  [local, { unsetEnv: ['C'] }, '"a" has no variable "C". It has: A, B.'],
  [local, { unsetHeader: ['X'] }, '"a" has no header "X". It has none.'],
  [remote, { unsetCwd: true }, '"a" names no folder to run in.'],
])('says what cannot be removed', (server, removed, message) => {
  expect(() => removeParts(server, removed)).toThrow(message);
});

test.each([
  ['https://x.example/sse', 'sse'],
  ['https://x.example/v1/sse/?key=a', 'sse'],
  ['https://x.example/mcp', 'http'],
  ['https://x.example/assets', undefined],
])('the address %s is known for %s', (url, transport) => {
  expect(transportOf(url)).toBe(transport);
});
