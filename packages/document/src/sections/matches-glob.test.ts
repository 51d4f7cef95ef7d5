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
