import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callText } from '../testing/connection-bench.ts';
import {
  containersOf,
  managedConnector,
  scriptedContainer,
  testEngine,
} from '../testing/docker.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

const signal = AbortSignal.timeout(120_000);

test('a sandboxed container answers, and has neither network nor privileges nor a system to write to', async () => {
  await using vault = await temporaryFolder();
  // Whoever it runs as inside is not the owner where the tests run as root.
  chmodSync(vault.path, 0o755);
  writeFileSync(join(vault.path, 'note.md'), 'a note', { mode: 0o644 });
  const limits = { network: 'none', memory: '256m', cpus: 1, sandboxed: true };
  const base = scriptedContainer({}, limits);
  if (base.dockerConfig === undefined) throw new Error('no container');
  const mounts = [...(base.dockerConfig.mounts ?? []), { source: vault.path, target: '/vault' }];
  const server = { ...base, dockerConfig: { ...base.dockerConfig, mounts } };
  await using connection = await managedConnector().connect(server, { signal });
  expect(await callText(connection, 'read-file', { path: '/vault/note.md' })).toBe('a note');
  for (const path of ['/vault/note.md', '/usr/new', '/new']) {
    expect(await callText(connection, 'write-file', { path })).toMatch(/^(EROFS|EACCES)$/);
  }
  expect(await callText(connection, 'write-file', { path: '/tmp/new' })).toBe('written');
  const networks = await callText(connection, 'read-file', { path: '/proc/net/dev' });
  expect(networks.match(/^\s*\w+(?=:)/gm)?.map((name) => name.trim())).toEqual(['lo']);
  const status = await callText(connection, 'read-file', { path: '/proc/self/status' });
  expect(status).toMatch(/^CapBnd:\s+0+$/m);
  expect(status).toMatch(/^NoNewPrivs:\s+1$/m);
  expect(status).toMatch(/^Uid:\s+[1-9]/m);
  const [container] = await containersOf(server);
  const path = `/containers/${container?.Id}/json`;
  const { HostConfig } = await testEngine().ask<{ HostConfig: object }>({ method: 'GET', path });
  expect(HostConfig).toMatchObject({
    ReadonlyRootfs: true,
    Memory: 256 * 1024 * 1024,
    NanoCpus: 1_000_000_000,
    PidsLimit: 256,
    NetworkMode: 'none',
  });
});
