import { expect, test } from 'vitest';
import type { ContentPart, RawToolResult } from '../connection.ts';
import { typeResult } from './type-result.ts';

const text = (value: string): ContentPart => ({ type: 'text', text: value });
const image: ContentPart = { type: 'image', mimeType: 'image/png', data: 'AAAA' };
const resource = (fields: object): ContentPart => ({ type: 'resource', resource: fields });

function typed(...content: readonly ContentPart[]) {
  const { content: value, contentType, attachments } = typeResult({ content }, 5);
  return { value, contentType, ...(attachments && { attachments }) };
}

test.each<[string, readonly ContentPart[], unknown]>([
  ['plain text', [text('hello')], { contentType: 'text', value: 'hello' }],
  ['no content', [], { contentType: 'text', value: '' }],
  ['a JSON object', [text(' {"a": [1]}')], { contentType: 'json', value: { a: [1] } }],
  ['a JSON array', [text('[1, 2]\n')], { contentType: 'json', value: [1, 2] }],
  ['a JSON number', [text('5')], { contentType: 'text', value: '5' }],
  ['almost JSON', [text('{a: 1}')], { contentType: 'text', value: '{a: 1}' }],
  ['long digits in a string', [text('["1234567890123456789"]')], { contentType: 'json' }],
  ['a float with all its digits', [text('[0.30000000000000004]')], { contentType: 'json' }],
  [
    'a number that JavaScript would change',
    [text('{"id": 12345678901234567890}')],
    { contentType: 'text', value: '{"id": 12345678901234567890}' },
  ],
  ['several texts', [text('one'), text('two')], { contentType: 'text', value: 'one\n\ntwo' }],
  ['one image', [image], { contentType: 'image', value: { mimeType: 'image/png', data: 'AAAA' } }],
  [
    'text and an image',
    [text('see'), image],
    {
      contentType: 'text',
      value: 'see\n\n[attachment 1: image/png, about 3 bytes]',
      attachments: [{ mimeType: 'image/png', data: 'AAAA' }],
    },
  ],
  [
    'sound',
    [{ type: 'audio', mimeType: 'audio/wav', data: 'AAAAAAAA' }],
    {
      contentType: 'text',
      value: '[attachment 1: audio/wav, about 6 bytes]',
      attachments: [{ mimeType: 'audio/wav' }],
    },
  ],
  [
    'a Markdown resource',
    [resource({ uri: 'x:1', mimeType: 'text/markdown', text: '# Hi' })],
    { contentType: 'markdown', value: '# Hi' },
  ],
  [
    'a text resource',
    [resource({ uri: 'x:1', mimeType: 'text/plain', text: 'plain' })],
    { contentType: 'text', value: 'plain' },
  ],
  [
    'a binary resource',
    [resource({ uri: 'file:///a.pdf', mimeType: 'application/pdf', blob: 'AAAA' })],
    {
      contentType: 'text',
      value: '[attachment 1: application/pdf, about 3 bytes from file:///a.pdf]',
      attachments: [{ mimeType: 'application/pdf', data: 'AAAA', uri: 'file:///a.pdf' }],
    },
  ],
  [
    'a link to a resource',
    [{ type: 'resource_link', uri: 'file:///log', name: 'Log', description: 'of today' }],
    { contentType: 'text', value: 'Log: file:///log (of today)' },
  ],
  [
    'a part of an unknown kind',
    [text('a'), { type: 'hologram', data: 'x' }],
    {
      contentType: 'text',
      value: 'a\n\n[content of type "hologram", which Errand cannot show]',
    },
  ],
  ['a resource without content', [resource({})], { attachments: [{ data: '' }] }],
])('%s', (_name, content, expected) => {
  expect(typed(...content)).toMatchObject(expected as object);
});

test('prefers structured content and keeps the images beside it', () => {
  const raw: RawToolResult = {
    content: [text('{"a":1}'), image],
    structuredContent: { a: 1 },
    _meta: { tokensUsed: 12 },
  };
  expect(typeResult(raw, 0)).toMatchObject({
    content: { a: 1 },
    contentType: 'json',
    attachments: [{ mimeType: 'image/png', data: 'AAAA' }],
    executionDuration: 1,
    tokensUsed: 12,
    raw,
  });
});

test('treats JSON that is nested too deep or too large as text', () => {
  const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`;
  const wide = `[${'{},'.repeat(2_000_001)}{}]`;
  for (const json of [deep, wide]) {
    expect(typed(text(json))).toEqual({ contentType: 'text', value: json });
  }
});

test('reads JSON with a very long string beside long numbers', () => {
  const long = '\\n'.repeat(10_000_000);
  expect(typed(text(`{"a":"${long}","b":0.30000000000000004}`)).contentType).toBe('json');
  expect(typed(text(`{"a":"${long}","b":12345678901234567890}`)).contentType).toBe('text');
});
