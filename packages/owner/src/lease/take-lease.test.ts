import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { connectToOwner } from './connect-to-owner.ts';
import { leaseFolder } from './lease-folder.ts';
import { type Lease, seizeLease, takeLease } from './take-lease.ts';

const who = { program: 'up', version: '1.2.3', protocol: 1, since: 5 };

test('gives the lease to the first and names it to the second', async () => {
  await using vault = await temporaryVault();
  await using lease = await taken(vault);
  expect(lease.info).toMatchObject({ ...who, pid: process.pid });
  expect(lease.isHeld()).toBe(true);
  expect(await takeLease(vault.lease, who)).toEqual({ heldBy: lease.info });
});

test('gives the lease to the next one when it is given back', async () => {
  await using vault = await temporaryVault();
  const first = await taken(vault);
  await first[Symbol.asyncDispose]();
  expect(first.isHeld()).toBe(false);
  expect(await connectToOwner(vault.lease)).toEqual({ status: 'nobody' });
  await using second = await taken(vault);
  expect([first.isHeld(), second.isHeld()]).toEqual([false, true]);
  expect((await readdir(dirname(second.info.socket))).toSorted()).toEqual([
    `${second.info.nonce}.sock`,
    'owner.json',
  ]);
});

test('hands over connections that came before somebody accepts them, with what they say', async () => {
  await using vault = await temporaryVault();
  await using lease = await taken(vault);
  const contact = await connectToOwner(vault.lease);
  if (contact.status !== 'connected') throw new Error(contact.status);
  expect(contact.owner).toEqual(lease.info);
  contact.socket.write('hello');
  const heard = new Promise<string>((resolve) => {
    lease.accept((socket) => socket.once('data', (data) => resolve(data.toString())));
  });
  expect(await heard).toBe('hello');
});

test('lets one of two seize the lease, and the old owner knows', async () => {
  await using vault = await temporaryVault();
  await using old = await taken(vault);
  const outcomes = await Promise.all(
    [1, 2].map(() => seizeLease(vault.lease, old.info, { ...who, program: 'serve' })),
  );
  const [winner, ...others] = outcomes.flatMap((each) => ('heldBy' in each ? [] : [each]));
  if (winner === undefined) throw new Error('nobody got the lease');
  await using _ = winner;
  expect(others).toEqual([]);
  expect(outcomes).toContainEqual({ heldBy: winner.info });
  expect([old.isHeld(), winner.isHeld()]).toEqual([false, true]);
});

async function taken({ lease }: Vault): Promise<Lease> {
  const outcome = await takeLease(lease, who);
  if ('heldBy' in outcome) throw new Error(`held by ${outcome.heldBy.pid}`);
  return outcome;
}

type Vault = Awaited<ReturnType<typeof temporaryVault>>;

async function temporaryVault() {
  const path = await mkdtemp(join(tmpdir(), 'errand-lease-'));
  await mkdir(join(path, 'vault'));
  return {
    path,
    lease: await leaseFolder(join(path, 'vault'), { state: join(path, 'state') }),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}
