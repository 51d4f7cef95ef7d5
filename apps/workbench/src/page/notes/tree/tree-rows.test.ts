import { expect, test } from 'vitest';
import { moveInTree } from './move-in-tree.ts';
import { asTree, foldersOf, matchesQuery, treeRows } from './tree-rows.ts';

const notes = ['A/B/deep.md', 'A/x.md', 'a/other.md', 'z.md'];
const rows = (...unfolded: string[]) => treeRows(asTree(notes), new Set(unfolded));

test('shows folders before notes, and inside only those that are open', () => {
  expect(rows().map(({ path }) => path)).toEqual(['A', 'a', 'z.md']);
  expect(rows('A', 'A/B').map(({ path, depth }) => [depth, path])).toEqual([
    [1, 'A'],
    [2, 'A/B'],
    [3, 'A/B/deep.md'],
    [2, 'A/x.md'],
    [1, 'a'],
    [1, 'z.md'],
  ]);
  expect(rows()[2]).toMatchObject({ name: 'z', position: 3, siblings: 3 });
  expect(foldersOf('A/B/deep.md')).toEqual(['A', 'A/B']);
});

test('keys move, fold, unfold and open as in trees everywhere', () => {
  const open = rows('A');
  expect(moveInTree('ArrowDown', open, 0)).toEqual({ to: 1 });
  expect(moveInTree('ArrowUp', open, 0)).toEqual({ to: 0 });
  expect(moveInTree('End', open, 0)).toEqual({ to: 4 });
  expect(moveInTree('ArrowRight', open, 0)).toEqual({ to: 1 });
  expect(moveInTree('ArrowRight', open, 1)).toEqual({ fold: open[1] });
  expect(moveInTree('ArrowLeft', open, 0)).toEqual({ fold: open[0] });
  expect(moveInTree('ArrowLeft', open, 2)).toEqual({ to: 0 });
  expect(moveInTree('Enter', open, 2)).toEqual({ open: 'A/x.md' });
  expect(moveInTree('x', open, 2)).toBeUndefined();
  expect(moveInTree('Enter', [], 0)).toBeUndefined();
});

test('matches all words in any order and case', () => {
  expect(matchesQuery('Projects/Garden office.md', 'OFFICE gard')).toBe(true);
  expect(matchesQuery('Projects/Garden office.md', 'office stove')).toBe(false);
});
