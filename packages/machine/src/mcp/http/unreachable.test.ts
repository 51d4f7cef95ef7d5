import { expect, test } from 'vitest';
import { unreachable } from './unreachable.ts';

const remote = new URL('https://tools.example/mcp');

test.each(['ENETUNREACH', 'EHOSTUNREACH', 'ENETDOWN', 'EAI_AGAIN', 'ENOTFOUND'])(
  'blames %s on the network and not on the server',
  (code) => {
    expect(unreachable('weather', remote, failure(code), true)).toMatchObject({
      code: 'server_unavailable',
      message: expect.stringContaining('Check the network'),
      facts: { isPassing: true, neverSent: true },
    });
  },
);

test('sees a missing network behind several addresses', () => {
  const both = new AggregateError([failure('ENETUNREACH'), failure('ECONNREFUSED')]);
  expect(unreachable('weather', remote, both, true).facts.isPassing).toBe(true);
});

test.each([
  ['https://tools.example/mcp', 'ECONNREFUSED', true],
  ['http://localhost:8080/mcp', 'ENOTFOUND', true],
  ['http://127.0.0.1/mcp', 'EHOSTUNREACH', true],
  ['https://tools.example/mcp', 'ENETDOWN', false],
])('counts %s with %s, never sent: %s', (url, code, neverSent) => {
  const { facts } = unreachable('weather', new URL(url), failure(code), neverSent);
  expect(facts.isPassing).toBeUndefined();
});

function failure(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`connect ${code}`), { code });
}
