import { expect, test } from 'vitest';
import { parseJson, readText } from './parse-json.ts';

test.each([
  [
    '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    { kind: 'request', id: 1, method: 'ping', params: {} },
  ],
  ['\ufeff{"jsonrpc":"2.0","method":"x"}\r', { kind: 'notification', method: 'x', params: {} }],
  ['[1,2]', { kind: 'batch', batch: [1, 2] }],
  ['{', { kind: 'invalid', id: null, error: { code: -32_700 } }],
  ['', { kind: 'invalid', id: null, error: { code: -32_700 } }],
])('reads %j', (text, read) => {
  expect(readText(Buffer.from(text))).toMatchObject(read);
});

test.each([
  ['levels', `{"params":${'['.repeat(200)}${']'.repeat(200)},"id":"a"}`],
  ['values', `{"params":[${'0,'.repeat(2_000_000)}0],"id":"a"}`],
])('refuses JSON with too many %s under its id, without parsing it', (_, text) => {
  expect(parseJson(Buffer.from(text))).toMatchObject({
    kind: 'invalid',
    id: 'a',
    error: { code: -32_600 },
  });
});

test.each([[[0xff]], [[0x22, 0xc3, 0x22]], [[0xed, 0xa0, 0x80]]])(
  'refuses the bytes %j as text',
  (bytes) => {
    expect(parseJson(Buffer.from(bytes))).toMatchObject({
      kind: 'invalid',
      error: { code: -32_700 },
    });
  },
);
