import { expect, test } from 'vitest';
import { linesOf, readLines } from './value-lines.ts';

test.each([
  'plain',
  ' spaced ',
  'a=b',
  'one\ntwo==\n',
  '\r\n',
  '"quoted"',
  '"',
  '',
  '"a" "b"',
  `\${secret:x}`,
])('keeps the variable %j after it was shown and another was typed', (value) => {
  const pairs = [
    { name: 'A', value },
    { name: 'B', value: '1' },
  ];
  expect(readLines(`${linesOf(pairs, '=')}\nC=2`, '=')).toEqual([
    ...pairs,
    { name: 'C', value: '2' },
  ]);
});

test.each(['Bearer a:b', '"etag"'])('keeps the header %j after it was shown', (value) => {
  const pairs = [{ name: 'X-A', value }];
  expect(readLines(linesOf(pairs, ':'), ':')).toEqual(pairs);
});

test('a line without a separator is a value without a name', () => {
  expect(readLines('just a value\n\n', '=')).toEqual([{ name: '', value: 'just a value' }]);
});
