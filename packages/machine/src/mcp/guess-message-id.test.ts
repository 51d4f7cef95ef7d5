import { expect, test } from 'vitest';
import { guessMessageId } from './guess-message-id.ts';

test.each([
  ['{"jsonrpc":"2.0","id":5,"result":{"content":[', '…"}]}}', 5],
  ['{ "id" : "a-1", "jsonrpc":"2.0", "result":', '}}', 'a-1'],
  ['{"result":{"content":[{"id":99,', '"}]},"jsonrpc":"2.0","id":6}', 6],
  ['{"result":{"content":[', '"}]},"id":7,"jsonrpc":"2.0"}\r', 7],
  ['{"result":{"id":99', '{"id":98}]}}', undefined],
  ['{"jsonrpc":"2.0","method":"notifications/x","params":{"id":1', '"}}', undefined],
  ['{"jsonrpc":"2.0","id":5,"method":"roots/list",', 'oops', undefined],
  ['{"jsonrpc":"2.0","method":"roots/list","id":5,', 'oops"id":5}', undefined],
  ['{"jsonrpc":"2.0","method":"x","params":{', '},"id":5}', undefined],
  ['{"trace":"a,b","took":1.5,"ok":true,"id":8,"result":[', 'oops', 8],
  ['{"result":[', '],"id":"b\\"1","ok":null,"jsonrpc":"2.0"}', 'b"1'],
  ['{"id":01,"result":', 'oops', 1],
  ['{"id":"a\tb","result":', 'oops', 'a\tb'],
  ['{"id":"\\x","result":', 'oops', '\\x'],
  ['{"id":"unended', 'oops', undefined],
  ['{"id":[[1]],"result":', 'oops', undefined],
  [`{${'"a":1,'.repeat(200)}`, '"id":'.repeat(200), undefined],
  ['Server listening', 'Server listening', undefined],
  ['', '', undefined],
])('%s … %s', (head, tail, id) => {
  expect(guessMessageId(head, tail)).toBe(id);
});
