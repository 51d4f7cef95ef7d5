import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { secretStoreContract } from '@errand/host/testing';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { openSecretFile } from './secret-file.ts';

for (const [name, holds] of Object.entries(secretStoreContract)) {
  test(name, async () => {
    await using folder = await temporaryFolder();
    await holds(openSecretFile(join(folder.path, 'state')));
  });
}

test('lets only the owner read the file and its folder', async () => {
  await using folder = await temporaryFolder();
  const state = join(folder.path, 'state');
  await openSecretFile(state).set('a', 'value');
  expect((await stat(state)).mode & 0o777).toBe(0o700);
  expect((await stat(join(state, 'secrets.json'))).mode & 0o777).toBe(0o600);
});

test('closes a file that was left open to others when it reads it', async () => {
  await using folder = await temporaryFolder();
  const store = openSecretFile(folder.path);
  await store.set('a', 'value');
  await chmod(join(folder.path, 'secrets.json'), 0o644);
  expect(await store.get('a')).toBe('value');
  expect((await stat(join(folder.path, 'secrets.json'))).mode & 0o777).toBe(0o600);
});

test.each(['{ "version": 2, "secrets": {} }', '{ "version": 1, "secrets": { "a": "hidden"'])(
  'leaves a file alone that it cannot read: %s',
  async (text) => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'secrets.json');
    await writeFile(path, text);
    const store = openSecretFile(folder.path);
    await expect(store.get('a')).rejects.toMatchObject({ code: 'settings_invalid' });
    await expect(store.names()).rejects.toMatchObject({ code: 'settings_invalid' });
    const error: unknown = await store.set('b', 'new').catch((reason) => reason);
    expect(inspect(error)).toContain('settings_invalid');
    expect(inspect(error)).not.toContain('hidden');
    expect(await readFile(path, 'utf8')).toBe(text);
  },
);

test('says what to do about a file that it may not read or write', async () => {
  await using folder = await temporaryFolder();
  await mkdir(join(folder.path, 'secrets.json'));
  await writeFile(join(folder.path, 'file'), '');
  const unreadable = openSecretFile(folder.path);
  const unwritable = openSecretFile(join(folder.path, 'file'));
  await expect(unreadable.get('a')).rejects.toMatchObject({
    code: 'settings_invalid',
    message: expect.stringMatching(/secrets\.json cannot be read \(.*Make it and its folder yours/),
  });
  await expect(unwritable.set('a', 'value')).rejects.toMatchObject({
    code: 'settings_invalid',
    message: expect.stringMatching(
      /secrets\.json cannot be written \(.*Make it and its folder yours/,
    ),
  });
});

test('loses no secret of two processes that set at once', async () => {
  await using folder = await temporaryFolder();
  const module = new URL('./secret-file.ts', import.meta.url).href;
  const run = async (name: string) => {
    const program = `
      import { openSecretFile } from ${JSON.stringify(module)};
      const store = openSecretFile(${JSON.stringify(folder.path)});
      for (let number = 0; number < 10; number += 1) await store.set('${name}-' + number, 'x');`;
    return once(spawn(process.execPath, ['--input-type=module', '-e', program]), 'exit');
  };
  expect(await Promise.all([run('a'), run('b')])).toEqual([
    [0, null],
    [0, null],
  ]);
  expect(await openSecretFile(folder.path).names()).toHaveLength(20);
});
