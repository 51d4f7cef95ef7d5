import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { watchFileText } from './watch-file-text.ts';

test('reports a listener that fails on one change, and calls it for the next', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'settings.json');
  const warnings: string[] = [];
  const warn = ({ message }: Error) => warnings.push(message);
  process.on('warning', warn);
  const heard: (string | undefined)[] = [];
  let text: string | undefined;
  const stop = watchFileText(
    [path],
    async () => text,
    (change) => {
      heard.push(change);
      throw new Error('a defect');
    },
  );
  try {
    await expect.poll(() => heard, { timeout: 10_000 }).toEqual([undefined]);
    text = 'new';
    await writeFile(path, text);
    await expect.poll(() => heard, { timeout: 10_000 }).toEqual([undefined, 'new']);
    expect(warnings[0]).toContain('a defect');
  } finally {
    stop();
    process.off('warning', warn);
  }
});
