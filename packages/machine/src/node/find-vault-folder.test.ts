import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { findVaultFolder } from './find-vault-folder.ts';

test('takes the nearest folder upward that is a vault of either kind', async () => {
  await using folder = await temporaryFolder();
  const inner = join(folder.path, 'a', 'b', 'c');
  await mkdir(inner, { recursive: true });
  await mkdir(join(folder.path, '.errand'));
  expect(await findVaultFolder(inner)).toEqual({ folder: folder.path, foundBy: '.errand' });
  await mkdir(join(folder.path, 'a', '.obsidian'));
  expect(await findVaultFolder(inner)).toEqual({
    folder: join(folder.path, 'a'),
    foundBy: '.obsidian',
  });
});

test('takes the folder itself when none upward is a vault', async () => {
  await using folder = await temporaryFolder();
  // A file of that name is no vault.
  await writeFile(join(folder.path, '.errand'), '');
  expect(await findVaultFolder(folder.path)).toEqual({ folder: folder.path, foundBy: 'here' });
});
