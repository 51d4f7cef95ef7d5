import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Hook, hookSchema } from '../hook-schema.ts';
import { openHookStore } from './open-hook-store.ts';

async function vault() {
  const folder = await mkdtemp(join(tmpdir(), 'hooks-'));
  return {
    folder,
    file: join(folder, '.errand', 'hooks.json'),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

const made = (id: string): Hook =>
  hookSchema.parse({
    id,
    name: `Hook ${id}`,
    trigger: { kind: 'manual' },
    actions: [{ type: 'custom', parameters: { command: 'true' } }],
  });

test('saves and loads hooks, also by many at once', async () => {
  await using at = await vault();
  expect(await openHookStore(at.folder).load()).toEqual({ hooks: [], problems: [] });
  const ids = ['a', 'b', 'c', 'd', 'e'];
  await Promise.all(
    ids.map((id) => openHookStore(at.folder).save((hooks) => [...hooks, made(id)])),
  );
  const { hooks, problems } = await openHookStore(at.folder).load();
  expect(problems).toEqual([]);
  expect(hooks.map(({ id }) => id).sort()).toEqual(ids);
});

test('tells of changes, whoever makes them, until it is stopped', async () => {
  await using at = await vault();
  const store = openHookStore(at.folder);
  let told = 0;
  let heard: (() => void) | undefined;
  const stop = store.watch(() => {
    told += 1;
    heard?.();
  });
  const next = () => new Promise<void>((resolve) => (heard = resolve));
  let wait = next();
  await store.save(() => [made('a')]);
  await wait;
  wait = next();
  await writeFile(at.file, '{}');
  await wait;
  expect(told).toBe(2);
  stop();
});

test('a file that leads out of the vault, or is too large, is a problem', async () => {
  await using at = await vault();
  await using other = await vault();
  await mkdir(join(at.folder, '.errand'));
  await writeFile(join(other.folder, 'hooks.json'), '{ "hooks": [] }');
  await symlink(join(other.folder, 'hooks.json'), at.file);
  const store = openHookStore(at.folder);
  expect((await store.load()).problems).toMatchObject([
    { message: expect.stringContaining('hooks.json') },
  ]);
  await expect(store.save(() => [made('a')])).rejects.toMatchObject({ code: 'settings_invalid' });
  expect(await readFile(join(other.folder, 'hooks.json'), 'utf8')).toBe('{ "hooks": [] }');
  await rm(at.file);
  await writeFile(at.file, ' '.repeat(5_000_000));
  expect((await store.load()).problems).toHaveLength(1);
});
