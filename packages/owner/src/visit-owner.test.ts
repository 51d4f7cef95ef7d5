import { localServer, request } from '@errand/host/testing';
import { expect, test } from 'vitest';
import { type Lease, takeLease } from './lease/take-lease.ts';
import { protocol } from './protocol.ts';
import { openProgram } from './testing/shared-host.ts';
import { type TemporaryVault, temporaryVault } from './testing/temporary-vault.ts';
import { visitOwner } from './visit-owner.ts';

const { signal } = new AbortController();

test('reports that nobody owns a vault', async () => {
  await using vault = await temporaryVault();
  expect(await visit(vault)).toEqual({ status: 'nobody' });
});

test('reports what runs, does what it is asked, and is not seen as a face', async () => {
  await using vault = await temporaryVault();
  const faces: string[] = [];
  const onFace = (change: string) => void faces.push(change);
  await using owner = await openProgram(vault, [localServer('a')], { onFace });
  await owner.shared.execute(request());
  const report = {
    owner: { program: 'up', pid: process.pid },
    faces: [],
    servers: [{ config: { id: 'a' }, connectionState: 'connected' }],
    calls: [],
    sessions: [['session', { executed: 1 }]],
  };
  expect(await visit(vault)).toMatchObject({
    status: 'answered',
    report: { ...report, isStopped: false },
  });
  expect(await visit(vault, 'stop')).toMatchObject({ report: { ...report, isStopped: true } });
  expect(await owner.shared.execute(request())).toMatchObject({ error: { code: 'stopped' } });
  expect(await visit(vault, 'resume')).toMatchObject({ report: { isStopped: false } });
  expect(faces).toEqual([]);
});

test('names an owner of another version, and one that greets but does not answer', async () => {
  await using vault = await temporaryVault();
  const take = (version: number) =>
    takeLease(vault.lease, { program: 'serve', version: '9.0.0', protocol: version, since: 0 });
  const owner = { program: 'serve', version: '9.0.0', pid: process.pid };
  const newer = (await take(protocol + 1)) as Lease;
  newer.accept(() => {});
  expect(await visit(vault)).toMatchObject({ status: 'other-version', owner });
  await newer[Symbol.asyncDispose]();
  await using hanging = (await take(protocol)) as Lease;
  hanging.accept((socket) => socket.resume());
  expect(await visit(vault)).toMatchObject({ status: 'silent', owner });
});

test('reports nobody when the owner ends instead of answering', async () => {
  await using vault = await temporaryVault();
  const claimant = { program: 'serve', version: '1.0.0', protocol, since: 0 };
  await using lease = (await takeLease(vault.lease, claimant)) as Lease;
  lease.accept((socket) => socket.once('data', () => socket.destroy()));
  expect(await visit(vault)).toEqual({ status: 'nobody' });
});

test('stops the program that takes the place of an owner that ends instead of answering', async () => {
  await using vault = await temporaryVault();
  const claimant = { program: 'serve', version: '1.0.0', protocol, since: 0 };
  const lease = (await takeLease(vault.lease, claimant)) as Lease;
  const asked = new Promise((resolve) => lease.accept((socket) => socket.once('data', resolve)));
  const stopping = visitOwner(vault.lease, { signal, order: 'stop' });
  await asked;
  await lease[Symbol.asyncDispose]();
  await using _owner = await openProgram(vault, [localServer('a')]);
  expect(await stopping).toMatchObject({ status: 'answered', report: { isStopped: true } });
});

function visit({ lease }: TemporaryVault, order?: 'stop' | 'resume') {
  return visitOwner(lease, { signal, patience: 500, ...(order && { order }) });
}
