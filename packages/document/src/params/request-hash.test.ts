import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { parseRequest } from '../blocks/parse-request.ts';
import { requestHash } from './request-hash.ts';

function hash(body: string, server = 'weather') {
  const { tool, params } = parseRequest('weather', body, 1);
  return requestHash(server, tool ?? '', params);
}

test('is five bytes of the SHA-256 of sorted-key JSON of server, tool and source scalars', () => {
  const json =
    '{"params":{"city":"Löndon","days":"03","list":["1",{"a":""}]},"server":"weather","tool":"get"}';
  const expected = createHash('sha256').update(json).digest('hex').slice(0, 10);
  expect(hash('days: 03\ntool: get\nlist: [1, {a: }]\ncity: "Löndon"')).toBe(expected);
});

test('depends on the request and the server, not on the layout', () => {
  const known = hash('tool: get\ncity: London\ndays: 3');
  expect(hash('days: 3 # three\n\ncity: "London"\ntool: get')).toBe(known);
  for (const other of [
    'tool: get\ncity: London\ndays: 4',
    'tool: put\ncity: London\ndays: 3',
    'tool: get\ncity: London',
  ]) {
    expect(hash(other)).not.toBe(known);
  }
  expect(hash('tool: get\ncity: London\ndays: 3', 'db')).not.toBe(known);
});
