import { expect, test } from 'vitest';
import { renamedPath } from './renamed-path.ts';

test('follows a note, and the notes of a folder', () => {
  expect(renamedPath('a/note.md', 'a/note.md', 'b.md')).toBe('b.md');
  expect(renamedPath('a/b/note.md', 'a', 'c/d')).toBe('c/d/b/note.md');
});

test('leaves alone what only begins with the same letters', () => {
  expect(renamedPath('ab/note.md', 'a', 'c')).toBeUndefined();
});
