import { expect, test } from 'vitest';
import { readMessage } from './read-message.ts';

const request = { jsonrpc: '2.0', id: 1, method: 'ping' };

test.each([
  [request, 'request'],
  [{ ...request, id: 'a', params: {} }, 'request'],
  [{ jsonrpc: '2.0', method: 'notifications/initialized' }, 'notification'],
  [{ jsonrpc: '2.0', id: 1, result: {} }, 'response'],
  [{ jsonrpc: '2.0', id: 1, error: { code: 1, message: 'no' } }, 'response'],
  [{ jsonrpc: '2.0', error: { code: 1, message: 'no' } }, 'response'],
])('reads %j as a %s', (value, kind) => {
  expect(readMessage(value).kind).toBe(kind);
});

test.each([
  [5, null, -32_600],
  ['ping', null, -32_600],
  [null, null, -32_600],
  [[], null, -32_600],
  [{}, null, -32_600],
  [{ id: 3 }, 3, -32_600],
  [{ ...request, jsonrpc: '1.0' }, 1, -32_600],
  [{ id: 1, method: 'ping' }, 1, -32_600],
  [{ ...request, method: 5 }, 1, -32_600],
  [{ ...request, id: null }, null, -32_600],
  [{ ...request, id: 1.5 }, null, -32_600],
  [{ ...request, id: {} }, null, -32_600],
  [{ ...request, id: 'x'.repeat(1_025) }, null, -32_600],
  [{ ...request, id: 2 ** 53 }, null, -32_600],
  [{ ...request, params: [1] }, 1, -32_602],
  [{ ...request, params: 'x' }, 1, -32_602],
  [{ ...request, params: null }, 1, -32_602],
])('answers %j with id %j and code %i', (value, id, code) => {
  expect(readMessage(value)).toMatchObject({
    kind: 'invalid',
    id,
    error: { code },
    isAnswerable: true,
  });
});

test.each([
  [{ jsonrpc: '2.0', method: 'notifications/x', params: 5 }, -32_602],
  [{ id: 1, result: {} }, -32_600],
  [{ jsonrpc: '1.0', id: 1, error: {} }, -32_600],
])('answers neither notifications nor responses, however broken: %j', (value, code) => {
  expect(readMessage(value)).toMatchObject({
    kind: 'invalid',
    error: { code },
    isAnswerable: false,
  });
});

test.each([
  [{ result: 5 }, { code: -32_603, message: 'It did not say why.' }],
  [
    { result: {}, error: { code: 1, message: 'no' } },
    { code: 1, message: 'no' },
  ],
  [{ error: { code: 'x', message: 'no' } }, { code: -32_603, message: 'no' }],
  [{ error: 'no' }, { code: -32_603, message: 'no' }],
  [{ error: { code: 2, message: 'no', data: [1] } }, { code: 2, message: 'no', data: [1] }],
])('reads the response %j as one that failed', (fields, error) => {
  const response = { jsonrpc: '2.0', id: 1, ...fields };
  expect(readMessage(response)).toEqual({ kind: 'response', id: 1, error });
});
