import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { requirements } from './requirements.ts';

const root = join(import.meta.dirname, '..');
const rows = Object.entries(requirements).map(([id, row]) => ({ id, ...row }));

test.each(rows)('$id names only tests that exist', ({ tests }) => {
  expect(tests.filter((name) => !exists(name))).toEqual([]);
});

test('nothing marked done is untested', () => {
  const untested = rows.filter(({ status, tests }) => status === 'done' && tests.length === 0);
  expect(untested.map(({ id }) => id)).toEqual([]);
});

test('a name that no test has is noticed', () => {
  expect(exists('test/requirements.test.ts: a name that no test has is noticed')).toBe(true);
  expect(exists('test/requirements.test.ts: a test nobody wrote')).toBe(false);
  expect(exists('test/nowhere.test.ts: anything')).toBe(false);
});

function exists(reference: string): boolean {
  const [path = '', name = ''] = reference.split(/: (.*)/s);
  if (!existsSync(join(root, path))) return false;
  return titlesIn(readFileSync(join(root, path), 'utf8')).has(name);
}

/** The first string of every `test(…)` and `test.each(…)(…)` in a file. */
function titlesIn(source: string): Set<string> {
  const call = /\btest(?:\.\w+)*(?:\([^;]*?\))?\(\s*(['"`])((?:\\.|(?!\1).)*)\1/gs;
  return new Set(
    [...source.matchAll(call)].map(([, , title = '']) => title.replace(/\\(.)/g, '$1')),
  );
}
