import type { ToolDescription } from '@errand/host';
import { expect, test } from 'vitest';
import { ask, listTools, openTestGateway, type TestGateway } from './testing/open-test-gateway.ts';

const read: ToolDescription = {
  name: 'read_file',
  description: 'Reads a file as text.',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
  annotations: { readOnlyHint: true },
};
const remove: ToolDescription = { ...read, name: 'delete_file', description: 'Deletes a file.' };
const servers = { files: { tools: [read, remove] }, mail: {} };

async function call(test: TestGateway, name: string, input: object, query = '?search') {
  const answer = await ask(test, 'tools/call', { name, arguments: input }, 'legacy', query);
  return answer.result as { content: [{ text: string }]; isError?: boolean };
}

test('three tools find, describe and call all others', async () => {
  await using test = await openTestGateway(servers);
  const listed = (await listTools(test, 'modern', 'search')) as { name: string }[];
  expect(listed.map(({ name }) => name)).toEqual(['find_tools', 'describe_tool', 'call_tool']);
  const found = await call(test, 'find_tools', { query: 'read a file' });
  expect(found.content[0].text.split('\n')[0]).toBe('files__read_file: Reads a file as text.');
  const nothing = await call(test, 'find_tools', { query: '' });
  expect(nothing.content[0].text).toBe('Servers and their numbers of tools: files (2), mail (1).');
  const described = await call(test, 'describe_tool', { name: 'files__read_file' });
  expect(JSON.parse(described.content[0].text)).toEqual({ ...read, name: 'files__read_file' });
  expect(await call(test, 'describe_tool', { name: 'files__no' })).toMatchObject({ isError: true });
  const called = await call(test, 'call_tool', { name: 'mail__echo', arguments: { text: 'hi' } });
  expect(called.content[0].text).toBe('hi');
  expect(test.memory.log.records).toMatchObject([{ server: 'mail', tool: 'echo' }]);
  expect(
    await ask(test, 'tools/call', { name: 'call_tool', arguments: { name: 'call_tool' } }),
  ).toMatchObject({ error: { code: -32602 } });
});

test('a search offers no more than the note of its client allows', async () => {
  const scope = () => (server: string) => server === 'mail';
  await using test = await openTestGateway(servers, { scope });
  const query = 'note=a.md&search';
  const found = await call(test, 'find_tools', { query: 'file' }, query);
  expect(found.content[0].text).toContain('No tool fits');
  expect(await call(test, 'describe_tool', { name: 'files__read_file' }, query)).toMatchObject({
    isError: true,
  });
  const params = { name: 'call_tool', arguments: { name: 'files__read_file' } };
  expect(await ask(test, 'tools/call', params, 'legacy', query)).toMatchObject({
    error: { code: -32602 },
  });
});

test('tools are listed by name, whatever order their server lists them in', async () => {
  await using test = await openTestGateway({ z: {}, files: { tools: [read, remove] } });
  const names = async () =>
    (await listTools(test, 'legacy')).map((tool) => (tool as { name: string }).name);
  const order = ['z__echo', 'files__delete_file', 'files__read_file'];
  expect(await names()).toEqual(order);
  let changes = 0;
  test.gateway.onListChanged(() => {
    changes += 1;
  });
  test.memory.connector.latest('files').changeTools([remove, read]);
  await test.memory.host.servers.refreshTools('files', AbortSignal.timeout(5_000));
  expect(await names()).toEqual(order);
  expect(changes).toBe(0);
});
