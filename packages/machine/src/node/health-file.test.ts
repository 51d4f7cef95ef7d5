import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
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
