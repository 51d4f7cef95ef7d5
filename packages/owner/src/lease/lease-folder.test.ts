import { statSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { startContender } from '../testing/contender.ts';
import { temporaryVault } from '../testing/temporary-vault.ts';
import { connectToOwner } from './connect-to-owner.ts';
import { leaseFolder, socketAddress } from './lease-folder.ts';
import { takeLease } from './take-lease.ts';

const who = { program: 'up', version: '1.2.3', protocol: 1, since: 5 };
const isRoot = process.getuid?.() === 0;

test('finds one lease for a vault by all paths and links that lead to it, and another for another', async () => {
  await using vault = await temporaryVault();
  await symlink(vault.vault, join(vault.path, 'link'));
  await mkdir(join(vault.path, 'other'));
  const at = (path: string) => leaseFolder(`${vault.path}/${path}`, vault, {});
  for (const path of ['vault/', 'vault/.', 'other/../vault', 'link', 'link/']) {
    expect(await at(path)).toEqual(vault.lease);
  }
  expect((await at('other')).path).not.toBe(vault.lease.path);
});

test('keeps the lease in the state folder whatever the variables of the session say', async () => {
  await using vault = await temporaryVault();
  const env = { XDG_RUNTIME_DIR: vault.path };
  const other = await leaseFolder(vault.vault, vault, env);
  expect(other.path).toBe(vault.lease.path);
  expect(other.socketFolders).toContain(join(vault.path, `errand-${other.hash}`));
  const relative = await leaseFolder(vault.vault, vault, { XDG_RUNTIME_DIR: 'run' });
  expect(relative).toEqual(vault.lease);
});

test.each([
  ['a runtime folder', 'run'],
  ['the folder for temporary files', undefined],
])('puts the socket into %s when the path of the state folder is too long', async (_where, run) => {
  await using vault = await temporaryVault();
  const state = join(vault.path, 'x'.repeat(100), 'y'.repeat(100));
  const runtime = await mkdtemp(join(tmpdir(), 'run-'));
  const env = run === undefined ? {} : { XDG_RUNTIME_DIR: runtime };
  const folder = await leaseFolder(vault.vault, { state }, env);
  expect(folder.socketFolders).not.toContain(folder.path);
  const lease = await takeLease(folder, who);
  if ('heldBy' in lease) throw new Error('held');
  await using _ = lease;
  const parent = dirname(lease.info.socket);
  expect(Buffer.byteLength(lease.info.socket)).toBeLessThan(100);
  expect(dirname(parent)).toBe(run === undefined ? tmpdir() : runtime);
  expect((await stat(parent)).mode & 0o777).toBe(0o700);
  // Another program of the user, in a session without that variable, finds it.
  await using program = await startContender();
  const order = { do: 'join', folder: await leaseFolder(vault.vault, { state }, {}) } as const;
  expect(await program.tell(order)).toEqual({ attachedTo: lease.info });
  await Promise.all([parent, runtime].map((path) => rm(path, { recursive: true })));
});

test('tries the next folder where a socket cannot be bound, and says which it tried when none is left', async () => {
  await using vault = await temporaryVault();
  // The system refuses to bind an address of this length.
  const refusing = join(vault.path, 'x'.repeat(100));
  const taking = join(vault.path, 'sockets');
  const folder = { ...vault.lease, socketFolders: [refusing, taking] };
  const lease = await takeLease(folder, who);
  if ('heldBy' in lease) throw new Error('held');
  expect(dirname(lease.info.socket)).toBe(taking);
  // Others look for it where `owner.json` says.
  expect(await takeLease(vault.lease, who)).toEqual({ heldBy: lease.info });
  await lease[Symbol.asyncDispose]();
  const failing = takeLease({ ...folder, socketFolders: [refusing] }, who);
  await expect(failing).rejects.toMatchObject({
    code: 'no_socket',
    message: expect.stringContaining(refusing),
  });
});

test('keeps everything of the lease from other users', async () => {
  await using vault = await temporaryVault();
  const lease = await takeLease(vault.lease, who);
  if ('heldBy' in lease) throw new Error('held');
  await using _ = lease;
  expect((await stat(vault.lease.path)).mode & 0o777).toBe(0o700);
  expect((await stat(join(vault.lease.path, 'owner.json'))).mode & 0o777).toBe(0o600);
});

const flaws: [string, string, (path: string) => Promise<void>][] = [
  ['open to other users', 'is open to other users', (path) => chmod(path, 0o777)],
  ['a link', 'is not a folder', linkInstead],
];
if (isRoot) {
  flaws.push(['another user’s', 'belongs to another user', (path) => chown(path, 65534, 65534)]);
}

test.each(flaws)('refuses a folder that is %s', async (_what, words, spoil) => {
  await using vault = await temporaryVault();
  await mkdir(vault.lease.path, { recursive: true, mode: 0o700 });
  await spoil(vault.lease.path);
  const refusal = {
    code: 'not_private',
    path: vault.lease.path,
    message: `${vault.lease.path} ${words}, but the owner of a vault needs a folder that only your user can enter. Delete it, or give it to your user with the rights 0700, and try again.`,
  };
  await expect(takeLease(vault.lease, who)).rejects.toMatchObject(refusal);
  await expect(connectToOwner(vault.lease)).rejects.toMatchObject(refusal);
});

test.runIf(isRoot && canOthersEnter(import.meta.dirname))(
  'refuses another user who uses the same state folder',
  async () => {
    await using vault = await temporaryVault();
    await chmod(vault.path, 0o755);
    const lease = await takeLease(vault.lease, who);
    if ('heldBy' in lease) throw new Error('held');
    await using _ = lease;
    await using program = await startContender(65534);
    const { error } = await program.tell({ do: 'join', folder: vault.lease });
    expect(error).toContain(`${vault.lease.path} cannot be entered by your user`);
  },
);

test('names a pipe on Windows that no other owner ever has', () => {
  const folder = { hash: '0123456789abcdef' };
  const name = socketAddress('C:\\state', folder, 'fedcba9876543210', 'win32');
  expect(name).toBe('\\\\.\\pipe\\errand-0123456789abcdef-fedcba9876543210');
  expect(socketAddress('/state', folder, 'fedcba9876543210', 'linux')).toBe(
    '/state/fedcba9876543210.sock',
  );
});

async function linkInstead(path: string): Promise<void> {
  await rm(path, { recursive: true });
  await symlink(tmpdir(), path);
}

/** Whether another user can start a program in a folder: not in a checkout that only its owner can enter. */
function canOthersEnter(folder: string): boolean {
  const parent = dirname(folder);
  return (statSync(folder).mode & 0o001) !== 0 && (parent === folder || canOthersEnter(parent));
}
