import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { findNote } from './find-note.ts';

const signal = new AbortController().signal;

test('finds a note by its name, the least deep first, and not in hidden folders', async () => {
  await using folder = await temporaryFolder();
  for (const path of ['a/b', 'c', '.trash'])
    mkdirSync(join(folder.path, path), { recursive: true });
  for (const path of ['a/b/Ines.md', 'c/ines.md', '.trash/Gone.md']) {
    writeFileSync(join(folder.path, path), '');
  }
  expect(await findNote(folder.path, 'Ines.md', signal)).toBe('c/ines.md');
  expect(await findNote(folder.path, 'Gone.md', signal)).toBeUndefined();
});

test('stops when asked to', async () => {
  await expect(findNote('.', 'x.md', AbortSignal.abort())).rejects.toThrow();
});
