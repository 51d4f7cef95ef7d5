import { expect, test } from 'vitest';
import { matchDocumentPath } from './match-document-path.ts';

test.each([
  ['n.md', 'n.md', 'note'],
  ['/n.md', 'n.md', 'note'],
  ['./n.md', 'n.md', 'note'],
  ['n', 'n.md', 'note'],
  ['N.md', 'n.md', 'note'],
  ['n.md', 'N.md', 'note'],
  [' n.md ', 'n.md', 'note'],
  ['a\\n.md', 'a/n.md', 'note'],
  ['a//x/../n', 'a/n.md', 'note'],
  ['Bu\u0308cher', 'B\u00fccher.md', 'note'],
  ['a', 'a/n.md', 'notes'],
  ['/a/', 'a/b/n.md', 'notes'],
  ['/', 'a/n.md', 'notes'],
  ['/A/*', 'a/n.md', 'notes'],
  ['a/?', 'a/n.md', 'notes'],
  ['*', 'a/n.md', null],
  ['n.md', 'a/n.md', null],
  ['n', 'na.md', null],
  ['m.md', 'n.md', null],
] as const)('%s means %s: %s', (documentPath, path, meaning) => {
  expect(matchDocumentPath(documentPath, path)).toBe(meaning);
});
