import { expect, test } from 'vitest';
import { blockOfCall } from './block-of-call.ts';

const blocks = [
  { line: 3, server: 'files', tool: 'a' },
  { line: 13, server: 'files', tool: 'b' },
  { line: 17, server: 'files', tool: 'a' },
];

test.each([
  [15, 'a', 17],
  [5, 'a', 3],
  [3, 'b', 13],
  [5, 'c', undefined],
])('finds the block of a call at line %i of %s again after it has moved', (line, tool, found) => {
  expect(blockOfCall(blocks, { line, server: 'files', tool })?.line).toBe(found);
});
