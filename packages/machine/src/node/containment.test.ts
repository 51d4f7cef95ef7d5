import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, readlink, rename, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { callRecord } from '@errand/host/testing';
import { expect, test } from 'vitest';
import { openVaultAndOutside } from '../testing/vault-and-outside.ts';
import { openAttachmentFolder } from './attachment-folder.ts';
import { openNoteFolder } from './file-note-store.ts';
import { openSettingsFile } from './settings-file.ts';

const addLine = (text: string) => [{ range: [text.length, text.length] as const, text: 'more\n' }];

test.each(['.errand', '.errand/settings.json'])(
  'settings are neither read nor written where %s leads out of the vault',
  async (path) => {
    await using fixture = await openVaultAndOutside();
    const text = '{ "logDays": 3 }';
    const target = join(fixture.outside, 'target');
    const file = path === '.errand' ? join(target, 'settings.json') : target;
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
    await fixture.link(path, target);
    const store = openSettingsFile(fixture.vault);
    const refusal = {
      code: 'settings_invalid',
      message: expect.stringContaining('leaves the vault'),
    };
    await expect(store.load()).rejects.toMatchObject(refusal);
    const save = store.save((settings) => ({ ...settings, logDays: 9 }));
    await expect(save).rejects.toMatchObject(refusal);
    expect(await readFile(file, 'utf8')).toBe(text);
    expect(await readdir(dirname(file))).toHaveLength(1);
  },
);

test('refuses a pipe in place of the settings without waiting', async () => {
  await using fixture = await openVaultAndOutside();
  await mkdir(join(fixture.vault, '.errand'));
  execFileSync('mkfifo', [join(fixture.vault, '.errand/settings.json')]);
  await expect(openSettingsFile(fixture.vault).load()).rejects.toMatchObject({
    code: 'settings_invalid',
  });
});

test.each([
  ['Attachments', 'Attachments/errand', 'folder'],
  ['Attachments/errand', 'Attachments/errand/', 'folder'],
  ['Attachments', 'Attachments', 'folder'],
  ['Attachments', 'Attachments/deep/er', 'folder'],
  ['Attachments', 'Attachments/errand', '.git'],
])('no attachment is written where %s leads as a link, for %s', async (path, setting, kind) => {
  await using fixture = await openVaultAndOutside();
  const target = kind === '.git' ? join(fixture.vault, '.git') : join(fixture.outside, 'folder');
  await mkdir(target, { recursive: true });
  await fixture.link(path, target);
  const save = openAttachmentFolder(fixture.vault, setting).save(Buffer.from('output'), 'sh');
  await expect(save).rejects.toMatchObject({ code: 'note_unreadable' });
  expect(await readdir(target)).toEqual([]);
});

test.each(['../outside', 'a/../../outside', '/OUTSIDE'])(
  'no attachment is written to the folder %s',
  async (setting) => {
    await using fixture = await openVaultAndOutside();
    const folder = setting.replace('/OUTSIDE', fixture.outside);
    const save = openAttachmentFolder(fixture.vault, folder).save(Buffer.from('output'), 'sh');
    await expect(save).rejects.toMatchObject({ code: 'settings_invalid' });
    expect(await readdir(fixture.outside)).toEqual([]);
  },
);

test('an attachment does not replace what its own name leads to as a link', async () => {
  await using fixture = await openVaultAndOutside();
  const content = Buffer.from('output');
  const store = openAttachmentFolder(fixture.vault, 'Attachments');
  const path = join(fixture.vault, await store.save(content, 'txt'));
  const target = join(fixture.outside, 'target');
  await rename(path, target);
  await symlink(target, path);
  await writeFile(target, 'another');
  await store.save(content, 'txt');
  expect(await readFile(path, 'utf8')).toBe('output');
  expect(await readFile(target, 'utf8')).toBe('another');
});

test('links that stay in the vault are followed, for attachments and settings and notes', async () => {
  await using fixture = await openVaultAndOutside();
  await mkdir(join(fixture.vault, 'Media'));
  await symlink('Media', join(fixture.vault, 'Attachments'));
  const path = await openAttachmentFolder(fixture.vault, 'Attachments').save(
    Buffer.from('x'),
    'txt',
  );
  expect(path).toMatch(/^Attachments\//);
  expect(await readFile(join(fixture.vault, path), 'utf8')).toBe('x');
  await writeFile(join(fixture.vault, 'Real.md'), 'text\n');
  await symlink('Real.md', join(fixture.vault, 'Link.md'));
  const notes = openNoteFolder(fixture.vault, fixture.locks);
  expect(await notes.read('Link.md')).toBe('text\n');
  await notes.edit('Link.md', addLine);
  expect(await readlink(join(fixture.vault, 'Link.md'))).toBe('Real.md');
  expect(await readFile(join(fixture.vault, 'Real.md'), 'utf8')).toBe('text\nmore\n');
});

test('accepts a vault that is reached through a link', async () => {
  await using fixture = await openVaultAndOutside();
  const linked = join(fixture.outside, 'way');
  await symlink(fixture.vault, linked);
  await writeFile(join(fixture.vault, 'Note.md'), 'text\n');
  expect(await openNoteFolder(linked, fixture.locks).edit('Note.md', addLine)).toBe(true);
  await openSettingsFile(linked).save((settings) => ({ ...settings, logDays: 9 }));
  expect((await openSettingsFile(fixture.vault).load()).logDays).toBe(9);
  const path = await openAttachmentFolder(linked, 'Attachments').save(Buffer.from('x'), 'txt');
  expect(await readFile(join(fixture.vault, path), 'utf8')).toBe('x');
  await using log = fixture.openLog({}, linked);
  log.append(callRecord({ id: 'mine' }));
  expect(await log.query({})).toHaveLength(1);
});

test.each([
  ['Plan.md', 'OUTSIDE/credentials'],
  ['Plan.md', '../outside/credentials'],
  ['Folder/Plan.md', 'OUTSIDE'],
  ['Plan.md', '.git/config'],
])('the note %s is neither read nor written as a link to %s', async (path, to) => {
  await using fixture = await openVaultAndOutside();
  const target = to.replace('OUTSIDE', fixture.outside);
  const isFolder = path.includes('/');
  const secrets = [join(fixture.outside, isFolder ? 'Plan.md' : 'credentials')];
  secrets.push(join(fixture.vault, '.git/config'));
  await mkdir(join(fixture.vault, '.git'));
  for (const file of secrets) await writeFile(file, 'key = secret\n');
  await symlink(target, join(fixture.vault, isFolder ? 'Folder' : 'Plan.md'));
  const notes = openNoteFolder(fixture.vault, fixture.locks);
  const refusal = { code: 'note_unreadable', message: expect.stringContaining('symbolic link') };
  await expect(notes.read(path)).rejects.toMatchObject(refusal);
  await expect(notes.ensureWritable(path)).rejects.toMatchObject(refusal);
  await expect(notes.edit(path, addLine)).rejects.toMatchObject(refusal);
  for (const file of secrets) expect(await readFile(file, 'utf8')).toBe('key = secret\n');
});

test('refuses a pipe or device in place of a note without waiting', async () => {
  await using fixture = await openVaultAndOutside();
  execFileSync('mkfifo', [join(fixture.vault, 'Pipe.md')]);
  await symlink('/dev/zero', join(fixture.vault, 'Device.md'));
  const notes = openNoteFolder(fixture.vault, fixture.locks);
  for (const path of ['Pipe.md', 'Device.md']) {
    await expect(notes.read(path)).rejects.toMatchObject({ code: 'note_unreadable' });
  }
});
