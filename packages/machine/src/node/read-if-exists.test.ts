import { execFileSync } from 'node:child_process';
import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { readIfExists } from './read-if-exists.ts';

test('reads a file, and says nothing of one that is not there', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'file');
  expect(await readIfExists(path)).toBeUndefined();
  await writeFile(path, 'text');
  expect(await readIfExists(path)).toBe('text');
  expect(await readIfExists(join(path, 'below'))).toBeUndefined();
});

test.runIf(process.platform !== 'win32')(
  'neither waits for a pipe nor reads a device or a file without an end',
  async () => {
    await using folder = await temporaryFolder();
    const pipe = join(folder.path, 'pipe');
    execFileSync('mkfifo', [pipe]);
    await expect(readIfExists(pipe)).rejects.toThrow('is not a file');
    await expect(readIfExists('/dev/zero')).rejects.toThrow('is not a file');
    const sparse = join(folder.path, 'sparse');
    await writeFile(sparse, '');
    await truncate(sparse, 3 * 1024 ** 3);
    await expect(readIfExists(sparse)).rejects.toThrow('larger than 64 MiB');
  },
);
