import { HostError } from '@errand/host';
import { expect, test } from 'vitest';
import { ask, listTools, openTestGateway } from './testing/open-test-gateway.ts';

const echo = { name: 'a__echo', arguments: { text: 'hi' } };

const scope = async (query: URLSearchParams) =>
  query.get('note') === 'gone.md'
    ? new HostError('section_forbids', 'Note "gone.md" does not exist.')
    : (server: string) => server === query.get('line');

test('the scope of a note limits what is listed and what can be called', async () => {
  await using test = await openTestGateway({ a: {}, b: {} }, { scope });
  expect(await listTools(test, 'modern', 'note=x.md&line=b')).toMatchObject([{ name: 'b__echo' }]);
  expect(await listTools(test, 'modern', 'other=1')).toHaveLength(2);
  const inScope = { ...echo, name: 'b__echo' };
  const query = 'note=x.md&line=b';
  expect(await ask(test, 'tools/call', inScope, 'legacy', query)).toHaveProperty('result');
  expect(await ask(test, 'tools/call', echo, 'legacy', query)).toMatchObject({
    error: { code: -32602 },
  });
  expect(test.memory.log.records).toHaveLength(1);
});

test('offers nothing for a scope that cannot be resolved, and says why', async () => {
  await using test = await openTestGateway({ a: {} }, { scope });
  const error = { code: -32602, message: 'Invalid params: Note "gone.md" does not exist.' };
  for (const [method, params] of [
    ['tools/list', {}],
    ['tools/call', echo],
  ] as const) {
    expect(await ask(test, method, params, 'legacy', 'note=gone.md')).toMatchObject({ error });
  }
});

test('refuses a scope when the gateway has no notes', async () => {
  await using test = await openTestGateway();
  expect(await ask(test, 'tools/list', {}, 'legacy', 'note=x.md')).toHaveProperty('error');
});

test('a scope is read from the address of every request', async () => {
  await using test = await openTestGateway({ a: {}, b: {} }, { scope });
  const session = await test.initialize();
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const headers = { ...session, 'content-type': 'application/json' };
  const response = await fetch(`${test.url}?note=x.md&line=a`, { method: 'POST', headers, body });
  expect(await response.json()).toMatchObject({ result: { tools: [{ name: 'a__echo' }] } });
});
