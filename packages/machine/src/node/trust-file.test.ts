import { mkdir, readdir, realpath, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { trustStoreContract } from '@errand/host/testing';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { openTrustFile } from './trust-file.ts';

for (const [name, holds] of Object.entries(trustStoreContract)) {
  test(name, async () => {
    await using machine = await emptyMachine();
    await holds(await openTrustFile(machine.state, machine.vault));
  });
}

test('keeps vaults apart by their real path, and writes nothing into them', async () => {
  await using machine = await emptyMachine();
  const store = await openTrustFile(machine.state, machine.vault);
  await store.save(() => new Map([['a', { fingerprint: '1' }]]));

  const link = join(machine.path, 'link');
  await symlink(machine.vault, link);
  expect(await (await openTrustFile(machine.state, link)).load()).toEqual(
    new Map([['a', { fingerprint: '1' }]]),
  );

  const copy = join(machine.path, 'copy');
  await mkdir(copy);
  const other = await openTrustFile(machine.state, copy);
  expect(await other.load()).toEqual(new Map());
  await other.save(() => new Map([['b', { fingerprint: '2' }]]));
  expect(await store.load()).toEqual(new Map([['a', { fingerprint: '1' }]]));
  expect(await readdir(machine.vault)).toEqual([]);
});

test('lets only the owner read it', async () => {
  await using machine = await emptyMachine();
  await (await openTrustFile(machine.state, machine.vault)).save(() => new Map());
  expect((await stat(join(machine.state, 'trust.json'))).mode & 0o777).toBe(0o600);
});

test('is not changed by reading it, which those who watch it would read again', async () => {
  await using machine = await emptyMachine();
  const store = await openTrustFile(machine.state, machine.vault);
  await store.save(() => new Map([['a', { fingerprint: '1' }]]));
  const path = join(machine.state, 'trust.json');
  const before = await stat(path, { bigint: true });
  await store.load();
  expect((await stat(path, { bigint: true })).ctimeNs).toBe(before.ctimeNs);
});

test('reads agreements that are a fingerprint alone, and keeps fields it does not know', async () => {
  await using machine = await emptyMachine();
  const store = await openTrustFile(machine.state, machine.vault);
  const path = join(machine.state, 'trust.json');
  const vaults = {
    [await realpath(machine.vault)]: { a: '1', b: { fingerprint: '2', more: ['x'] } },
  };
  await mkdir(machine.state);
  await writeFile(path, JSON.stringify({ version: 1, vaults }));
  expect((await store.load()).get('a')).toEqual({ fingerprint: '1' });
  await store.save((current) => new Map([...current, ['c', { fingerprint: '3' }]]));
  expect((await store.load()).get('b')).toEqual({ fingerprint: '2', more: ['x'] });
});

test('trusts nothing when the file is not its own, and says what to do', async () => {
  await using machine = await emptyMachine();
  await mkdir(machine.state);
  await writeFile(join(machine.state, 'trust.json'), '{ "version": 1, "vaults": 5 }');
  const store = await openTrustFile(machine.state, machine.vault);
  await expect(store.load()).rejects.toMatchObject({
    code: 'settings_invalid',
    message: expect.stringContaining('Delete it'),
  });
});

async function emptyMachine() {
  const folder = await temporaryFolder();
  const vault = join(folder.path, 'vault');
  await mkdir(vault);
  return {
    path: folder.path,
    vault,
    state: join(folder.path, 'state'),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}
