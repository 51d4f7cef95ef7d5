import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const page = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
const paths = new Set(
  [...page.matchAll(/`((?:packages|servers|apps|examples|test|docs|tools)\/[^`\s]+)`/g)].map(
    ([, path = '']) => path,
  ),
);

test('every path in ARCHITECTURE.md exists', () => {
  expect(paths.size).toBeGreaterThan(50);
  expect([...paths].filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('ARCHITECTURE.md lists every package and program, and the folders of the divided libraries', () => {
  const folders = [
    ...globSync('{packages,servers,apps}/*/package.json', { cwd: root }).map((manifest) =>
      manifest.replace(/[\\/]package\.json$/, ''),
    ),
    ...globSync('packages/{document,host,machine,workspace,assistant}/src/*/', { cwd: root }),
  ].map((folder) => folder.replaceAll('\\', '/').replace(/\/$/, ''));
  const listed = folders.filter((folder) => !folder.endsWith('/testing'));
  expect(listed.filter((folder) => !paths.has(folder))).toEqual([]);
});
