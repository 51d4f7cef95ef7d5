import { scan } from '@errand/document';
import { expect, test } from 'vitest';
import { findResult } from './find-result.ts';

const note = scan(
  [
    '```mcp-result req=1 sum=2 type=text display=inline',
    '{"a": 1}',
    '```',
    '',
    '```mcp-result req=1 sum=2 type=json display=collapsed',
    '{"a": 1}',
    '```',
    '',
    '```mcp-error code=timeout type=text',
    'Too long.',
    '```',
    '',
  ].join('\n'),
);
const json = { status: 'success', body: '{"a": 1}\n' } as const;

test('reads the type from the first line, at its position if that is known', () => {
  expect(findResult(note, json, { lineStart: 4, lineEnd: 6 })).toMatchObject({
    type: 'json',
    display: 'collapsed',
  });
  expect(findResult(note, json, undefined)).toMatchObject({ type: 'text', display: 'inline' });
  expect(findResult(note, { status: 'error', body: 'Too long.' }, undefined).code).toBe('timeout');
});

test.each([
  ['{"a": 1}', 'json'],
  ['[1]', 'json'],
  ['"text"', 'text'],
  ['{broken', 'text'],
  ['Attachments/errand/a.png', 'image'],
  ['See\na.png', 'text'],
])('detects the type of %j without its note', (body, type) => {
  expect(findResult(undefined, { status: 'success', body }, undefined).type).toBe(type);
});
