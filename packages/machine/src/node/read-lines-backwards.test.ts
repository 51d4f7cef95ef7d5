import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readLinesBackwards } from './read-lines-backwards.ts';

test.each(['', 'a', 'a\n', 'a\nb', 'ä\nöü\n\n€uro\nlonger than a chunk is\n'])(
  'gives the lines of %j from the last to the first, whatever the size of the chunks',
  async (text) => {
    const folder = await mkdtemp(join(tmpdir(), 'errand-lines-'));
    const path = join(folder, 'file');
    await writeFile(path, text);
    const expected = text.split('\n').filter(Boolean).reverse();
    for (const size of [1, 2, 3, 5, 7, 100]) {
      await using file = await open(path);
      const lines: string[] = [];
      for await (const line of readLinesBackwards(file, size)) lines.push(line);
      expect(lines).toEqual(expected);
    }
    await rm(folder, { recursive: true });
  },
);
