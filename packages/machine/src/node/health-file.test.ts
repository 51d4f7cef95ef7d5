import { mkdir, readdir, readFile, rename, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { openHealthFile } from './health-file.ts';

test('keeps what is known of the servers of each vault apart, outside of it', async () => {
  await using folder = await temporaryFolder();
  const state = join(folder.path, 'state');
  const [one, two] = [join(folder.path, 'one'), join(folder.path, 'two')];
  await Promise.all([mkdir(one), mkdir(two)]);
  const store = await openHealthFile(state, one);
  expect(await store.load()).toEqual({});
  await store.save((current) => ({ ...current, a: { lastConnectedAt: 5 } }));
  expect(await (await openHealthFile(state, one)).load()).toEqual({ a: { lastConnectedAt: 5 } });
  expect(await (await openHealthFile(state, two)).load()).toEqual({});
  expect(await readdir(one)).toEqual([]);
});

test('begins anew when the file cannot be read', async () => {
  await using folder = await temporaryFolder();
  const store = await openHealthFile(join(folder.path, 'state'), folder.path);
  await store.save(() => ({ a: { failureCount: 1 } }));
  const [name = ''] = await readdir(join(folder.path, 'state', 'health'));
  const path = join(folder.path, 'state', 'health', name);
  await writeFile(path, '{ "servers": ');
  expect(await store.load()).toEqual({});
  await store.save((current) => ({ ...current, b: { failureCount: 2 } }));
  expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({
    servers: { b: { failureCount: 2 } },
  });
});

test('does not take a file that cannot be read for one that says nothing', async () => {
  await using folder = await temporaryFolder();
  const store = await openHealthFile(join(folder.path, 'state'), folder.path);
  await store.save(() => ({ a: { failureCount: 1 } }));
  const [name = ''] = await readdir(join(folder.path, 'state', 'health'));
  const path = join(folder.path, 'state', 'health', name);
  await rename(path, `${path}.away`);
  await mkdir(path);
  await expect(store.load()).rejects.toThrow('is not a file');
  await rmdir(path);
  await rename(`${path}.away`, path);
  expect(await store.load()).toEqual({ a: { failureCount: 1 } });
});
