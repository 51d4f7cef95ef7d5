import { expect, test } from 'vitest';
import { scan } from '../scan/scan.ts';
import { findFencedResults } from './find-result.ts';

test('results in fences are found wherever they stand, with what their first line says', () => {
  const note = scan(
    [
      '> ```mcp-result req=1 sum=2 type=json display=collapsed',
      '> {"a": 1}',
      '> ```',
      '',
      '```mcp-error code=timeout type=text',
      'It took too long.',
      '```',
      '',
      '```text',
      'mcp-result',
      '```',
      '',
    ].join('\n'),
  );
  expect(findFencedResults(note)).toEqual([
    {
      line: 1,
      status: 'success',
      req: '1',
      sum: '2',
      type: 'json',
      code: null,
      as: null,
      display: 'collapsed',
      payload: '{"a": 1}',
    },
    {
      line: 5,
      status: 'error',
      req: null,
      sum: null,
      type: 'text',
      code: 'timeout',
      as: null,
      display: null,
      payload: 'It took too long.',
    },
  ]);
});
