import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { watchFolders } from './watch-folders.ts';

test('reports where something was created, replaced by a rename, or removed', async () => {
  const { root, watched, heard } = watching();
  mkdirSync(join(root, 'sub'));
  watched.add('');
  watched.add('sub');
  writeFileSync(join(root, 'sub', 'n.md'), 'one');
  await expect.poll(heard, { timeout: 15_000 }).toContain('sub/n.md');
  writeFileSync(join(root, 'sub', 'editor~'), 'two');
  renameSync(join(root, 'sub', 'editor~'), join(root, 'sub', 'n.md'));
  await expect.poll(heard, { timeout: 15_000 }).toContain('sub/editor~');
  rmSync(join(root, 'sub', 'n.md'));
  await expect.poll(heard, { timeout: 15_000 }).toContain('sub/n.md');
});

test('reports a folder that was removed, and watches its replacement when asked again', async () => {
  const { root, watched, heard } = watching();
  mkdirSync(join(root, 'sub'));
  watched.add('');
  expect([watched.add('sub'), watched.add('sub')]).toEqual([true, false]);
  rmSync(join(root, 'sub'), { recursive: true });
  await expect.poll(heard, { timeout: 15_000 }).toContain('sub');
  await expect.poll(() => [...watched.folders], { timeout: 15_000 }).toEqual(['']);
  mkdirSync(join(root, 'sub'));
  expect(watched.add('sub')).toBe(true);
  writeFileSync(join(root, 'sub', 'n.md'), 'one');
  await expect.poll(heard, { timeout: 15_000 }).toContain('sub/n.md');
});

test('gives up as a whole when there are more folders than it may watch', () => {
  const { root, watched } = watching(1);
  mkdirSync(join(root, 'sub'));
  watched.add('');
  expect(watched.problem).toBeUndefined();
  expect(watched.add('sub')).toBe(false);
  expect(watched.problem).toEqual({ kind: 'too-many-folders', limit: 1 });
  expect([...watched.folders]).toEqual([]);
});

test('ignores a missing folder', () => {
  const { watched } = watching();
  expect(watched.add('nowhere')).toBe(false);
  expect(watched.problem).toBeUndefined();
});

function watching(limit?: number) {
  const root = mkdtempSync(join(tmpdir(), 'errand-watch-'));
  let paths: string[] = [];
  const changed = (path: string) => void paths.push(path);
  const watched = watchFolders(root, { changed, ...(limit !== undefined && { limit }) });
  onTestFinished(() => {
    watched[Symbol.dispose]();
    rmSync(root, { recursive: true });
  });
  /** What was told since the last time something was found in it. */
  const heard = () => {
    const reported = paths;
    paths = [];
    return reported;
  };
  return { root, watched, heard };
}
