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
  ['Server listening', 'Server listening', undefined],
  ['', '', undefined],
])('%s … %s', (head, tail, id) => {
  expect(guessMessageId(head, tail)).toBe(id);
});
