import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { exampleServer } from '@errand/host/testing';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { openSettingsFile } from './settings-file.ts';

const own = '.errand/settings.json';
const data = '.obsidian/plugins/errand/data.json';
const withDays = (logDays: number) => `{ "version": 1, "logDays": ${logDays} }`;

async function vaultWith(files: Readonly<Record<string, string>>) {
  const folder = await temporaryFolder();
  const path = (name: string) => join(folder.path, name);
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(path(name)), { recursive: true });
    await writeFile(path(name), text);
  }
  return {
    folder: folder.path,
    path,
    text: (name: string) => readFile(path(name), 'utf8'),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

test('uses the settings file where it exists, else the data file of the plugin', async () => {
  await using both = await vaultWith({ [own]: withDays(1), [data]: withDays(2) });
  expect(openSettingsFile(both.folder).name).toBe(own);
  expect((await openSettingsFile(both.folder).load()).logDays).toBe(1);
  await using only = await vaultWith({ [data]: withDays(2) });
  expect(openSettingsFile(only.folder).name).toBe(data);
  expect((await openSettingsFile(only.folder).load()).logDays).toBe(2);
});

test('makes the settings file, or the data file for the plugin', async () => {
  const save = { logDays: 3 };
  await using vault = await vaultWith({});
  await openSettingsFile(vault.folder).save((all) => ({ ...all, ...save }));
  expect(JSON.parse(await vault.text(own))).toMatchObject(save);
  await using inObsidian = await vaultWith({ [data.replace('data', 'manifest')]: '{}' });
  await openSettingsFile(inObsidian.folder, { dataFile: data }).save((all) => ({
    ...all,
    ...save,
  }));
  expect(JSON.parse(await inObsidian.text(data))).toMatchObject(save);
  expect(existsSync(inObsidian.path(own))).toBe(false);
});

test('the plugin uses and changes the settings file where that exists', async () => {
  await using vault = await vaultWith({ [own]: withDays(1) });
  const store = openSettingsFile(vault.folder, { dataFile: data });
  await store.save((all) => ({ ...all, mcpServers: [exampleServer] }));
  expect(existsSync(vault.path(data))).toBe(false);
  expect(JSON.parse(await vault.text(own)).mcpServers).toHaveLength(1);
});

test('finds the data file in a folder of another name', async () => {
  const other = '.notes-config/plugins/errand/data.json';
  await using vault = await vaultWith({ [other]: withDays(2) });
  const store = openSettingsFile(vault.folder);
  expect(store.name).toBe(other);
  await store.save((all) => ({ ...all, logDays: 4 }));
  expect(JSON.parse(await vault.text(other)).logDays).toBe(4);
});

test('keeps what the plugin stores beside its settings as it is written', async () => {
  const text = '{\n\t"isFolded": true,\n\t"logDays": 2\n}\n';
  await using vault = await vaultWith({ [data]: text });
  await openSettingsFile(vault.folder).save((all) => ({ ...all, logDays: 4 }));
  expect(await vault.text(data)).toBe(text.replace('2', '4'));
});

test('follows no data file out of the vault', async () => {
  await using outside = await vaultWith({ 'data.json': withDays(9) });
  await using vault = await vaultWith({ '.obsidian/app.json': '{}' });
  await mkdir(dirname(vault.path(data)), { recursive: true });
  await symlink(outside.path('data.json'), vault.path(data));
  const store = openSettingsFile(vault.folder);
  await expect(store.load()).rejects.toMatchObject({ code: 'settings_invalid' });
  await expect(store.save((all) => ({ ...all, logDays: 1 }))).rejects.toMatchObject({
    code: 'settings_invalid',
  });
  expect(await outside.text('data.json')).toBe(withDays(9));
});

test('the plugin reads and writes its data file in a folder that several vaults share by a link', async () => {
  await using shared = await vaultWith({ 'config/plugins/errand/data.json': withDays(9) });
  await using vault = await vaultWith({});
  await symlink(shared.path('config'), vault.path('.obsidian'));
  const store = openSettingsFile(vault.folder, { dataFile: data });
  expect((await store.load()).logDays).toBe(9);
  await store.save((all) => ({ ...all, logDays: 4 }));
  expect(JSON.parse(await shared.text('config/plugins/errand/data.json')).logDays).toBe(4);
});

test('tells of a rival only when the data file says something that is not used', async () => {
  const files = [
    [{ [own]: withDays(1), [data]: withDays(2) }, data],
    [{ [own]: withDays(1), [data]: '{ broken' }, data],
    [{ [own]: withDays(1), [data]: '{ "isFolded": true }' }, undefined],
    [{ [own]: withDays(1) }, undefined],
    [{ [data]: withDays(2) }, undefined],
  ] as const;
  for (const [given, rival] of files) {
    await using vault = await vaultWith(given as Readonly<Record<string, string>>);
    expect(openSettingsFile(vault.folder).findRival()).toBe(rival);
  }
});

test('a chosen settings file holds, and the settings of the data file become a backup', async () => {
  const text = '{\n  "logDays": 2,\n  "isFolded": true\n}\n';
  await using vault = await vaultWith({ [own]: withDays(1), [data]: text });
  const store = openSettingsFile(vault.folder);
  const backup = await store.choose(own);
  expect(backup).toMatch(/^\.obsidian\/plugins\/errand\/data\.json\.bak-\d{4}-\d\d-\d\d$/);
  expect(await vault.text(backup ?? '')).toBe(text);
  expect(await store.choose(own)).toBeUndefined();
  expect(JSON.parse(await vault.text(data))).toEqual({ isFolded: true });
  expect(store.findRival()).toBeUndefined();
  expect((await store.load()).logDays).toBe(1);
});

test('a chosen data file holds in every program, and the settings file becomes a backup', async () => {
  await using vault = await vaultWith({ [own]: withDays(1), [data]: withDays(2) });
  const [mine, other] = [openSettingsFile(vault.folder), openSettingsFile(vault.folder)];
  expect((await other.load()).logDays).toBe(1);
  const { promise: heard, resolve } = Promise.withResolvers<void>();
  const stop = other.watch(resolve);
  const backup = await mine.choose(data);
  expect(await vault.text(backup ?? '')).toBe(withDays(1));
  await heard;
  stop();
  expect((await other.load()).logDays).toBe(2);
  expect(other.name).toBe(data);
  await other.save((all) => ({ ...all, logDays: 5 }));
  expect(existsSync(vault.path(own))).toBe(false);
  expect((await mine.load()).logDays).toBe(5);
});

test('keeps earlier backups, and the first choice counts', async () => {
  await using vault = await vaultWith({ [own]: withDays(1), [data]: withDays(2) });
  const [mine, other] = [openSettingsFile(vault.folder), openSettingsFile(vault.folder)];
  const chosen = await Promise.all([mine.choose(own), other.choose(data)]);
  expect(chosen.filter((backup) => backup !== undefined)).toHaveLength(1);
  const kept = (await mine.load()).logDays === 1 ? own : data;
  const left = kept === own ? data : own;
  await writeFile(vault.path(left), withDays(3));
  await mine.choose(kept);
  const folder = dirname(vault.path(left));
  const backups = (await readdir(folder)).filter((name) => name.includes('.bak-')).sort();
  expect(backups).toHaveLength(2);
  expect(backups[1]).toMatch(/-2$/);
});

test('a settings file that is gone for a moment is not taken for a choice', async () => {
  await using vault = await vaultWith({ [own]: withDays(1), [data]: '{}' });
  const store = openSettingsFile(vault.folder, { dataFile: data });
  await store.load();
  await rename(vault.path(own), vault.path('elsewhere'));
  expect((await store.load()).logDays).toBe(1);
  await rename(vault.path('elsewhere'), vault.path(own));
  expect((await store.load()).problems).toEqual([]);
});
