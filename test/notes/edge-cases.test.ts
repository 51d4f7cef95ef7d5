import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testExists } from '../test-exists.ts';

const root = join(import.meta.dirname, '../..');
const [, ...cases] = readFileSync(join(root, 'docs/edge-cases.md'), 'utf8').split(/^## /m);

test('each of the ten edge cases has an answer, a reason and tests that exist', () => {
  const numbers = cases.map((text) => Number.parseInt(text, 10));
  expect(numbers).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  for (const text of cases) {
    expect(text).toMatch(/^\*Why:\* /m);
    const references = [...text.matchAll(/^- `(.+)`$/gm)].map(([, reference = '']) => reference);
    expect(references.length).toBeGreaterThan(1);
    expect(references.filter((reference) => !isShown(reference))).toEqual([]);
  }
});

/** A golden note, or a test by its name. */
function isShown(reference: string): boolean {
  return reference.startsWith('test/golden/cases/')
    ? existsSync(join(root, reference, 'after.md'))
    : testExists(reference);
}
