import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build } from 'vite';
import { expect, test } from 'vitest';
import { checkFirstLoad, measureFirstLoad } from './first-load.ts';

test('the entry, what it imports at once and its styles count; what is imported later does not', async () => {
  using page = await builtPage({
    'index.html': '<script type="module" src="./main.js"></script>',
    'main.js': `import './main.css'; import { x } from './part.js';\nconsole.log(x, import('./later.js'));`,
    'main.css': 'body { color: red }',
    'part.js': `export const x = 'needed at once';`,
    'later.js': `import './later.css'; import { x } from './part.js';\nconsole.log('only later', x);`,
    'later.css': 'body { color: blue }',
  });
  const { files, bytes } = measureFirstLoad(page.folder);
  const names = files.map(({ name }) => name);
  expect(names.some((name) => name.includes('later'))).toBe(false);
  expect(names.filter((name) => name.endsWith('.css'))).toHaveLength(1);
  expect(names.filter((name) => name.endsWith('.js')).length).toBeGreaterThanOrEqual(1);
  expect(bytes).toBeGreaterThan(0);
  expect(checkFirstLoad(page.folder)).toMatch(/first load is \d+\.\d KB gzipped of 150\.0 KB\.$/);
});

test('a page that loads too much fails with the numbers of each file', async () => {
  using page = await builtPage({
    'index.html': '<script type="module" src="./main.js"></script>',
    'main.js': `console.log('${'a long text '.repeat(20)}')`,
  });
  expect(() => checkFirstLoad(page.folder, 10)).toThrow(
    /first load is 0\.\d KB gzipped of 0\.0 KB\..*\n {2}0\.\d KB {2}assets\/index-/,
  );
});

test('a page without any script is no page', () => {
  using page = folderWith({ 'index.html': '<p>Nothing</p>' });
  expect(() => checkFirstLoad(page.folder)).toThrow('names no script');
});

async function builtPage(files: Readonly<Record<string, string>>) {
  const source = folderWith(files);
  const outDir = join(source.folder, 'dist');
  await build({
    root: source.folder,
    configFile: false,
    logLevel: 'error',
    build: { outDir, modulePreload: { polyfill: false } },
  });
  return { folder: outDir, [Symbol.dispose]: () => source[Symbol.dispose]() };
}

function folderWith(files: Readonly<Record<string, string>>): Disposable & { folder: string } {
  const folder = mkdtempSync(join(tmpdir(), 'errand-first-load-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}
