import { expect, test } from 'vitest';
import type { Result } from '../../../contract.ts';
import { mergeResults } from './merge-results.ts';

const request = '```s\ntool: t\n```\n';
const answer = '\n```mcp-result\nx\n```\n';
const note = (text: string, ...results: [number, number][]) => ({
  text,
  blocks: results.map(([line, endLine]) => ({ result: { line, endLine } as Result })),
});

test('merges a result written meanwhile into the unsaved text', () => {
  const before = note(`# N\n\n${request}\nend\n`);
  const after = note(`# N\n\n${request}${answer}\nend\n`, [7, 9]);
  expect(mergeResults(before, after, `# New\n\n${request}\nend\n`)).toBe(
    `# New\n\n${request}${answer}\nend\n`,
  );
  expect(mergeResults(before, after, `# N\n\n${request}\nend\nmore`)).toBe(
    `# N\n\n${request}${answer}\nend\nmore`,
  );
  expect(mergeResults(before, after, `# N\n\n${request}between\n\nend\n`)).toBe(
    `# N\n\n${request}${answer}between\n\nend\n`,
  );
});

test('results that were replaced or are many are merged too', () => {
  const before = note(`a\n${request}${answer}b\n${request}c`, [6, 8]);
  const other = answer.replace('x', 'y\nz');
  const after = note(`a\n${request}${other}b\n${request}${answer}c`, [6, 9], [15, 17]);
  expect(mergeResults(before, after, `a\n${request}${answer}B\n${request}c`)).toBe(
    `a\n${request}${other}B\n${request}${answer}c`,
  );
});

test('reports a conflict for any other change', () => {
  const before = note(`a\n${request}${answer}b\n`, [6, 8]);
  const other = answer.replace('x', 'y');
  const after = note(`a\n${request}${other}b\n`, [6, 8]);
  const mine = `a\n${request}${answer}B\n`;
  expect(mergeResults(before, note(`A\n${request}${other}b\n`, [6, 8]), mine)).toBeUndefined();
  // The unsaved text changes the result itself, or takes away what is around it.
  expect(
    mergeResults(before, after, `a\n${request}${answer.replace('x', 'mine')}b\n`),
  ).toBeUndefined();
  expect(mergeResults(before, after, 'b\n')).toBeUndefined();
});
