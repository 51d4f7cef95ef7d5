import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { pidSpace } from '@errand/files/processes';
import { expect, test } from 'vitest';
import { startContender } from '../testing/contender.ts';
import { type TemporaryVault, temporaryVault } from '../testing/temporary-vault.ts';
import { connectToOwner } from './connect-to-owner.ts';
import { ownerFile } from './lease-folder.ts';
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

test('takes over at once what a crash left: the owner, its socket and its lock', async () => {
  await using vault = await temporaryVault();
  await using program = await startContender();
  const { owns: dead } = await program.tell({ do: 'join', folder: vault.lease });
  if (dead === undefined) throw new Error('nobody owns the vault');
  await program.kill();
  const { pid, startedAt } = dead;
  const lock = { pid, startedAt, host: `${hostname()} ${pidSpace()}` };
  await writeFile(`${ownerFile(vault.lease)}.lock`, JSON.stringify(lock));
  expect(existsSync(dead.socket)).toBe(true);
  expect(await connectToOwner(vault.lease)).toEqual({ status: 'nobody' });
  await using lease = await taken(vault);
  expect((await readdir(vault.lease.path)).toSorted()).toEqual([
    `${lease.info.nonce}.sock`,
    'owner.json',
  ]);
});

test.each([
  ['is of this process but was used before by another', { pid: process.pid, startedAt: 'before' }],
  ['is of this process, which does not listen', { pid: process.pid }],
  ['is of a process before the last start of the machine', { pid: 1, startedAt: 'boot 1' }],
])('takes over when the process id in owner.json %s', async (_whose, owner) => {
  await using vault = await temporaryVault();
  await leaveOwner(vault, { ...owner, nonce: 'n', socket: join(vault.lease.path, 'n.sock') });
  await using lease = await taken(vault);
  expect(lease.isHeld()).toBe(true);
});

test('takes over and keeps the lease when the clock was set back', async () => {
  await using vault = await temporaryVault();
  const tomorrow = Date.now() + 86_400_000;
  const socket = join(vault.lease.path, 'n.sock');
  await leaveOwner(vault, { nonce: 'n', since: tomorrow, socket });
  await utimes(ownerFile(vault.lease), tomorrow / 1_000, tomorrow / 1_000);
  await using lease = await taken(vault);
  await utimes(ownerFile(vault.lease), tomorrow / 1_000, tomorrow / 1_000);
  expect(lease.isHeld()).toBe(true);
  expect(await takeLease(vault.lease, who)).toEqual({ heldBy: lease.info });
});

test.each(['', '{', '[]', '{"nonce":1}', '\0'.repeat(300)])(
  'takes over when owner.json is %j',
  async (text) => {
    await using vault = await temporaryVault();
    await leaveOwner(vault, text);
    await using lease = await taken(vault);
    expect(lease.isHeld()).toBe(true);
  },
);

test('removes no file but a socket of an earlier owner', async () => {
  await using vault = await temporaryVault();
  const note = join(vault.lease.path, 'n.sock');
  await leaveOwner(vault, { nonce: 'n', socket: note });
  await writeFile(note, 'precious');
  await using _ = await taken(vault);
  expect(await readFile(note, 'utf8')).toBe('precious');
});

test('does not hold the lease once owner.json is gone', async () => {
  await using vault = await temporaryVault();
  await using lease = await taken(vault);
  await rm(ownerFile(vault.lease));
  expect(lease.isHeld()).toBe(false);
});

test('closes the connections of those who attached when the lease is given back', async () => {
  await using vault = await temporaryVault();
  const lease = await taken(vault);
  const contact = await connectToOwner(vault.lease);
  if (contact.status !== 'connected') throw new Error(contact.status);
  const closed = once(contact.socket.resume(), 'close', { signal: AbortSignal.timeout(10_000) });
  await lease[Symbol.asyncDispose]();
  await closed;
});

async function leaveOwner({ lease }: TemporaryVault, owner: object | string): Promise<void> {
  await mkdir(lease.path, { recursive: true, mode: 0o700 });
  await writeFile(ownerFile(lease), typeof owner === 'string' ? owner : JSON.stringify(owner));
}

async function taken({ lease }: TemporaryVault): Promise<Lease> {
  const outcome = await takeLease(lease, who);
  if ('heldBy' in outcome) throw new Error(`held by ${outcome.heldBy.pid}`);
  return outcome;
}
