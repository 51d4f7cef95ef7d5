import { expect, test } from 'vitest';
import { parseMessages } from './parse-messages.ts';

const answer = { jsonrpc: '2.0', id: 1, result: { content: [] } };

test('reads messages, also of a batch that has odd ones in it', () => {
  expect(parseMessages(JSON.stringify(answer))).toEqual([answer]);
  const batch = [5, answer, { jsonrpc: '2.0', method: 'notifications/x' }, { id: 2 }];
  expect(parseMessages(JSON.stringify(batch))).toEqual([batch[1], batch[2]]);
  expect(parseMessages('[]')).toEqual([]);
});

test.each([
  '',
  'words',
  'null',
  '{"id":1,"result":{}}',
  '{"jsonrpc":"2.0","id":01,"result":{}}',
  '{"jsonrpc":"2.0","id":null,"result":{}}',
  '{"jsonrpc":"2.0","id":{"toString":1},"result":{}}',
  '{"jsonrpc":"2.0","id":[[1]],"error":{}}',
  '{"jsonrpc":"2.0","result":{}}',
  '{"jsonrpc":"2.0","method":5}',
  '{"jsonrpc":"2.0","method":"x","params":[]}',
  '{"jsonrpc":"2.0","id":true,"method":"x"}',
  `{"jsonrpc":"2.0","id":1,"result":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
])('takes %j for no message', (text) => {
  expect(parseMessages(text)).toBeUndefined();
});

test.each([
  ['"text"', { code: -32603, message: 'text' }],
  ['null', { code: -32603, message: 'It did not say why.' }],
  ['[]', { code: -32603, message: 'It did not say why.' }],
  ['{"code":"1","message":5}', { code: -32603, message: 'It did not say why.' }],
  ['{"code":1.5,"message":"no"}', { code: -32603, message: 'no' }],
  ['{"code":7,"message":"no","data":[1]}', { code: 7, message: 'no', data: [1] }],
])('takes the error %s for %o', (error, read) => {
  const text = `{"jsonrpc":"2.0","id":"a","error":${error}}`;
  expect(parseMessages(text)).toEqual([{ jsonrpc: '2.0', id: 'a', error: read }]);
});

test('takes an answer without result and error for a failure', () => {
  const failure = { code: -32603, message: 'It did not say why.' };
  expect(parseMessages('{"jsonrpc":"2.0","id":1}')).toEqual([
    { jsonrpc: '2.0', id: 1, error: failure },
  ]);
});
