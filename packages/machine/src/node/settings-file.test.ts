import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import {
  chmod,
  lstat,
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { exampleServer, settingsStoreContract } from '@errand/host/testing';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { openSettingsFile } from './settings-file.ts';

for (const [name, holds] of Object.entries(settingsStoreContract)) {
  test(name, async () => {
    await using vault = await emptyVault();
    await holds({
      store: openSettingsFile(vault.path),
      write: (text) => writeFile(vault.file, text),
      remove: () => rm(vault.file),
      text: () => readFile(vault.file, 'utf8').catch(() => undefined),
    });
  });
}

test('makes the folder when it first saves', async () => {
  await using folder = await temporaryFolder();
  await openSettingsFile(folder.path).save((settings) => ({ ...settings, mcpSessionLimit: 3 }));
  expect(JSON.parse(await readFile(join(folder.path, '.errand/settings.json'), 'utf8'))).toEqual({
    version: 1,
    mcpServers: [],
    mcpSessionLimit: 3,
  });
});

test('keeps the mode of the file and leaves nothing beside it', async () => {
  await using vault = await emptyVault();
  await writeFile(vault.file, '{}');
  await chmod(vault.file, 0o640);
  await openSettingsFile(vault.path).save((settings) => ({ ...settings, logDays: 7 }));
  expect((await stat(vault.file)).mode & 0o777).toBe(0o640);
  expect(await readdir(join(vault.path, '.errand'))).toEqual(['settings.json']);
});

test('writes through a symbolic link', async () => {
  await using vault = await emptyVault();
  const real = join(vault.path, 'shared.json');
  await writeFile(real, '{}');
  await symlink('../shared.json', vault.file);
  await openSettingsFile(vault.path).save((settings) => ({ ...settings, logDays: 7 }));
  expect((await lstat(vault.file)).isSymbolicLink()).toBe(true);
  expect(JSON.parse(await readFile(real, 'utf8'))).toEqual({ logDays: 7 });
});

test('does not touch the file when nothing changes', async () => {
  await using vault = await emptyVault();
  await writeFile(vault.file, '{}');
  const before = await stat(vault.file);
  await openSettingsFile(vault.path).save((settings) => settings);
  expect((await stat(vault.file)).ino).toBe(before.ino);
});

test('keeps what an editor saves in the middle of a change', async () => {
  await using vault = await emptyVault();
  await writeFile(vault.file, '{ "logDays": 1 }');
  let changes = 0;
  await openSettingsFile(vault.path).save((settings) => {
    changes += 1;
    if (changes === 1) writeFileSync(vault.file, '{ "logDays": 2 }');
    return { ...settings, mcpSessionLimit: 3 };
  });
  const saved = JSON.parse(await readFile(vault.file, 'utf8'));
  expect(saved).toMatchObject({ logDays: 2, mcpSessionLimit: 3 });
});

test('says what to do when the file cannot be read', async () => {
  await using vault = await emptyVault();
  await mkdir(vault.file);
  await expect(openSettingsFile(vault.path).load()).rejects.toMatchObject({
    code: 'settings_invalid',
    message: expect.stringContaining('settings.json is not a plain file'),
  });
});

test('notices a file that appears after it began to watch', async () => {
  await using folder = await temporaryFolder();
  const store = openSettingsFile(folder.path);
  await store.load();
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = store.watch(resolve);
  await mkdir(join(folder.path, '.errand'));
  await writeFile(join(folder.path, '.errand/settings.json'), '{ "logDays": 3 }');
  await promise;
  stop();
  expect((await store.load()).logDays).toBe(3);
});

test('does not report its own saves, which another store reports', async () => {
  await using vault = await emptyVault();
  const [mine, other] = [openSettingsFile(vault.path), openSettingsFile(vault.path)];
  await Promise.all([mine.load(), other.load()]);
  let ownChanges = 0;
  const heardByMine = Promise.withResolvers<void>();
  // The first look at the file falls into the first save.
  const stopMine = mine.watch(() => {
    ownChanges += 1;
    heardByMine.resolve();
  });
  for (const logDays of [1, 2, 3]) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const stop = other.watch(resolve);
    await mine.save((settings) => ({ ...settings, logDays }));
    await promise;
    stop();
  }
  expect(ownChanges).toBe(0);
  await other.save((settings) => ({ ...settings, logDays: 4 }));
  await heardByMine.promise;
  stopMine();
  expect(ownChanges).toBe(1);
});

test('does not take a file that it is just replacing for a change by another program', async () => {
  await using vault = await emptyVault();
  for (let round = 0; round < 20; round += 1) {
    const store = openSettingsFile(vault.path);
    await store.load();
    let changes = 0;
    const stop = store.watch(() => {
      changes += 1;
    });
    await store.save((settings) => ({ ...settings, logDays: round + 1 }));
    await store.save((settings) => ({ ...settings, logDays: round + 100 }));
    stop();
    expect(changes).toBe(0);
  }
});

test('loses no change of several processes that save at once', async () => {
  await using vault = await emptyVault();
  const store = openSettingsFile(vault.path);
  await store.save((settings) => ({ ...settings, mcpServers: [exampleServer] }));
  const program = `
    import { openSettingsFile } from ${JSON.stringify(new URL('./settings-file.ts', import.meta.url).href)};
    const store = openSettingsFile(${JSON.stringify(vault.path)});
    for (let round = 0; round < 15; round += 1) {
      await store.save((settings) => ({ ...settings, logDays: settings.logDays + 1 }));
    }`;
  const exits = Array.from({ length: 4 }, async () => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: 'inherit',
    });
    return once(child, 'exit');
  });
  expect(await Promise.all(exits)).toEqual(Array(4).fill([0, null]));
  expect((await store.load()).logDays).toBe(30 + 4 * 15);
});

async function emptyVault() {
  const folder = await temporaryFolder();
  await mkdir(join(folder.path, '.errand'));
  return {
    path: folder.path,
    file: join(folder.path, '.errand', 'settings.json'),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

test('says that a file is too large for settings, and reads none of it', async () => {
  await using vault = await emptyVault();
  await writeFile(vault.file, '{}');
  await truncate(vault.file, 3 * 1024 ** 3);
  await expect(openSettingsFile(vault.path).load()).rejects.toMatchObject({
    code: 'settings_invalid',
    message:
      '.errand/settings.json cannot be read: it is larger than 16 MiB, which settings never are. Look at what is in it, and shorten it or put an earlier version in its place.',
  });
});
