import { expect, test } from 'vitest';
import { containerSpec } from './container-spec.ts';

const place = { vaultFolder: '/home/me/vault', labels: { 'errand.server': 'weather' } };
const weather = { image: 'mcp/weather:1', containerName: 'errand-weather' };

test('opens standard input once for a server that speaks over it', () => {
  const spec = containerSpec({ transport: 'stdio' }, { ...weather, command: ['serve'] }, place);
  expect(spec).toMatchObject({
    Image: 'mcp/weather:1',
    Cmd: ['serve'],
    Labels: { 'errand.server': 'weather' },
    OpenStdin: true,
    StdinOnce: true,
    Tty: false,
    HostConfig: { Init: true, LogConfig: { Type: 'none' }, PortBindings: {} },
  });
});

test('publishes ports on loopback only, and leaves the choice to the engine for 0', () => {
  const ports = { '8080': 18080, '9000/tcp': 0 };
  const spec = containerSpec({ transport: 'http' }, { ...weather, ports }, place);
  expect(spec.OpenStdin).toBe(false);
  expect(spec.ExposedPorts).toEqual({ '8080/tcp': {}, '9000/tcp': {} });
  expect(spec.HostConfig.PortBindings).toEqual({
    '8080/tcp': [{ HostIp: '127.0.0.1', HostPort: '18080' }],
    '9000/tcp': [{ HostIp: '127.0.0.1', HostPort: '0' }],
  });
});

test('mounts folders of the vault read-only by default', () => {
  const mounts = [
    { source: 'notes', target: '/notes' },
    { source: '/srv/data', target: '/data', writable: true },
  ];
  const spec = containerSpec({ transport: 'stdio' }, { ...weather, mounts }, place);
  expect(spec.HostConfig.Mounts).toEqual([
    { Type: 'bind', Source: '/home/me/vault/notes', Target: '/notes', ReadOnly: true },
    { Type: 'bind', Source: '/srv/data', Target: '/data', ReadOnly: false },
  ]);
});

test.each([
  ['1000', 1000],
  ['64b', 64],
  ['512k', 512 * 1024],
  ['256m', 256 * 1024 ** 2],
  ['1.5G', 1.5 * 1024 ** 3],
])('reads the memory %s', (memory, bytes) => {
  const spec = containerSpec({ transport: 'stdio' }, { ...weather, memory, cpus: 0.5 }, place);
  expect(spec.HostConfig).toMatchObject({
    Memory: bytes,
    MemorySwap: bytes,
    NanoCpus: 500_000_000,
  });
});

test('gives a sandboxed container no privileges, and only /tmp to write to', () => {
  const spec = containerSpec({ transport: 'stdio' }, { ...weather, sandboxed: true }, place);
  expect(spec.User).toMatch(/^[1-9]\d*:\d+$/);
  expect(spec.Env).toEqual(['HOME=/tmp']);
  expect(spec.HostConfig).toMatchObject({
    ReadonlyRootfs: true,
    Tmpfs: { '/tmp': expect.stringContaining('size=256m') },
    CapDrop: ['ALL'],
    SecurityOpt: ['no-new-privileges'],
    PidsLimit: 256,
  });
});
