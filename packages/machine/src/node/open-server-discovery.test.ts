import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { foreignFileReader } from './open-server-discovery.ts';

test('reads a file, or nothing, and sees each change', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'mcp.json');
  const before = await foreignFileReader.stamp(path);
  expect(await foreignFileReader.read(path)).toBeUndefined();
  await writeFile(path, '{}');
  const after = await foreignFileReader.stamp(path);
  expect(await foreignFileReader.read(path)).toBe('{}');
  await writeFile(path, '{ }');
  expect(new Set([before, after, await foreignFileReader.stamp(path)]).size).toBe(3);
});
