import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readIfExists } from './read-if-exists.ts';

test('reads a file, and says nothing of one that is not there', async () => {
  const folder = await temporaryFolder();
  const path = join(folder, 'file');
  expect(await readIfExists(path)).toBeUndefined();
  await writeFile(path, 'text');
  expect(await readIfExists(path)).toBe('text');
  expect(await readIfExists(join(path, 'below'))).toBeUndefined();
});

test.runIf(process.platform !== 'win32')(
  'neither waits for a pipe nor reads a device or a file without an end',
  async () => {
    const folder = await temporaryFolder();
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    await expect(readIfExists(pipe)).rejects.toThrow('is not a file');
    await expect(readIfExists('/dev/zero')).rejects.toThrow('is not a file');
    const sparse = join(folder, 'sparse');
    await writeFile(sparse, '');
    await truncate(sparse, 3 * 1024 ** 3);
    await expect(readIfExists(sparse)).rejects.toThrow('larger than 64 MiB');
  },
);

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'errand-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
