import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { rejectMountsOutsideVault } from './reject-mounts-outside-vault.ts';

test('mounts nothing that a link of the vault leads to outside of it', async () => {
  await using folder = await temporaryFolder();
  const vault = join(folder.path, 'vault');
  await mkdir(join(vault, 'inside'), { recursive: true });
  await symlink(folder.path, join(vault, 'data'));
  await symlink(join(vault, 'inside'), join(vault, 'link'));
  const mount = (source: string) => () =>
    rejectMountsOutsideVault(
      'box',
      { image: 'i', containerName: 'c', mounts: [{ source, target: '/d' }] },
      vault,
    );
  expect(mount('data')).toThrow('leads out of the vault');
  expect(mount('data/vault')).not.toThrow();
  for (const source of ['.', 'inside', 'link', 'not/there', folder.path]) {
    expect(mount(source)).not.toThrow();
  }
});
