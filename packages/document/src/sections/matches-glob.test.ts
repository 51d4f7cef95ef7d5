import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matchesGlob } from './matches-glob.ts';

test.each([
  ['Trip.md', 'Trip.md', true],
  ['Trip.md', 'a/Trip.md', false],
  ['*.md', 'Trip.md', true],
  ['*.md', 'a/Trip.md', false],
  ['**/*.md', 'Trip.md', true],
  ['**/*.md', 'a/b/Trip.md', true],
  ['Daily/**', 'Daily/2026/x.md', true],
  ['Daily/**', 'Dailyx', false],
  ['a?.md', 'ab.md', true],
  ['a?.md', 'a/.md', false],
  ['a.md', 'aXmd', false],
  ['[a](b)+{c}.md', '[a](b)+{c}.md', true],
])('%s and %s: %s', (glob, path, fits) => {
  expect(matchesGlob(glob, path)).toBe(fits);
});

test('a glob of many stars is answered at once', () => {
  const path = 'a'.repeat(200);
  expect(matchesGlob(`${'*a'.repeat(40)}b`, path)).toBe(false);
  expect(matchesGlob('*a'.repeat(40), path)).toBe(true);
  expect(matchesGlob(`${'**/*'.repeat(40)}b`, 'a/'.repeat(100))).toBe(false);
  expect(matchesGlob('*a'.repeat(1_000_000), path)).toBe(false);
  expect(matchesGlob(`${'**/'.repeat(1_000_000)}*`, path)).toBe(true);
  expect(matchesGlob('*?**/'.repeat(1_000_000), path)).toBe(false);
});

test('fits what the regular expression of the same meaning fits', () => {
  const glob = fc.array(fc.constantFrom('*', '**', '**/', '?', 'a', 'b', '/', '.'), {
    maxLength: 6,
  });
  const path = fc.array(fc.constantFrom('a', 'b', '/', '.', '\n'), { maxLength: 7 });
  fc.assert(
    fc.property(glob, path, (parts, characters) => {
      const expression = parts
        .join('')
        .replace(
          /\*\*\/|\*\*|\*|\?|\./g,
          (part) =>
            ({ '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*', '?': '[^/]', '.': '\\.' })[part] ??
            part,
        );
      const expected = new RegExp(`^${expression}$`, 's').test(characters.join(''));
      expect(matchesGlob(parts.join(''), characters.join(''))).toBe(expected);
    }),
    { seed: 1, numRuns: 5000 },
  );
});
