import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type TemporaryVault, temporaryVault } from '../testing/temporary-vault.ts';
import { connectToOwner } from './connect-to-owner.ts';
import { ownerFile } from './lease-folder.ts';
import { takeLease } from './take-lease.ts';

const nobody = { status: 'nobody' };

test('finds nobody where nobody ever was', async () => {
  await using vault = await temporaryVault();
  expect(await connectToOwner(vault.lease)).toEqual(nobody);
});

test('leaves what the owner says after its greeting in the socket', async () => {
  await using vault = await temporaryVault();
  const lease = await takeLease(vault.lease, {
    program: 'up',
    version: '1',
    protocol: 1,
    since: 0,
  });
  if ('heldBy' in lease) throw new Error('held');
  await using _ = lease;
  lease.accept((socket) => socket.end('first\nsecond\n'));
  const contact = await connectToOwner(vault.lease);
  if (contact.status !== 'connected') throw new Error(contact.status);
  let heard = '';
  for await (const chunk of contact.socket) heard += chunk;
  expect(heard).toBe('first\nsecond\n');
});

test.each([
  ['says nothing', () => {}],
  [
    'greets with the name of another',
    (socket: Socket) => socket.write('{"nonce":"x","socket":""}\n'),
  ],
  ['does not speak as an owner does', (socket: Socket) => socket.write('HTTP/1.1 400\r\n\r\n')],
  ['writes without an end', (socket: Socket) => socket.write('x'.repeat(100_000))],
])('takes an owner for silent that %s', async (_what, behave) => {
  await using vault = await temporaryVault();
  const owner = await pretendOwner(vault, behave);
  const contact = await connectToOwner(vault.lease, { patience: 100 });
  expect(contact).toEqual({ status: 'silent', owner: expect.objectContaining(owner) });
});

test('finds nobody when the owner hangs up instead of greeting', async () => {
  await using vault = await temporaryVault();
  await pretendOwner(vault, (socket) => socket.destroy());
  expect(await connectToOwner(vault.lease)).toEqual(nobody);
});

test('stops waiting for a greeting when it is told to', async () => {
  await using vault = await temporaryVault();
  const stop = new AbortController();
  await pretendOwner(vault, () => stop.abort(new Error('enough')));
  await expect(connectToOwner(vault.lease, { signal: stop.signal })).rejects.toThrow('enough');
  await expect(connectToOwner(vault.lease, { signal: stop.signal })).rejects.toThrow('enough');
});

test('reads who owns a vault from a program of another version', async () => {
  await using vault = await temporaryVault();
  const owner = { program: 'up', protocol: 9, faces: ['new'] };
  await pretendOwner(
    vault,
    (socket) => socket.write('{"nonce":"n","socket":"s","protocol":9}\n'),
    owner,
  );
  const contact = await connectToOwner(vault.lease);
  if (contact.status !== 'connected') throw new Error(contact.status);
  contact.socket.destroy();
  expect(contact.owner).toMatchObject({ protocol: 9, version: '', pid: 0 });
});

/** Listens as an owner of this vault that behaves as it is told. */
async function pretendOwner(
  { lease }: TemporaryVault,
  behave: (socket: Socket) => void,
  more: object = {},
) {
  const owner = { nonce: 'n', socket: join(lease.path, 'n.sock') };
  await mkdir(lease.path, { recursive: true, mode: 0o700 });
  await writeFile(ownerFile(lease), JSON.stringify({ ...more, ...owner }));
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    behave(socket);
  });
  server.listen(owner.socket);
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return owner;
}
