import type { RawToolResult, ToolCall, ToolDescription } from '@errand/host';
import { HostError } from '@errand/host';
import { localServer, textResult, untilAborted } from '@errand/host/testing';
import { describe, expect, test } from 'vitest';
import { ask, listTools, openTestGateway } from './testing/open-test-gateway.ts';

const echo = { name: 'a__echo', arguments: { text: 'hi' } };

describe('the list of tools', () => {
  test('passes schemas, annotations, icons and other entries on as they are', async () => {
    const tool: ToolDescription = {
      name: 'find',
      title: 'Find',
      inputSchema: { $schema: 'x', type: 'object', properties: { a: { const: 1 } }, extra: [1] },
      outputSchema: { type: 'object', properties: { found: { type: 'integer' } } },
      annotations: { readOnlyHint: true, openWorldHint: false },
      icons: [{ src: 'data:,' }],
      _meta: { 'com.example/ui': { a: 1 } },
    };
    await using test = await openTestGateway({ a: { tools: [tool] } });
    const _meta = { 'com.example/ui': { a: 1 }, 'errand/hops': 1 };
    expect(await listTools(test, 'modern')).toEqual([{ ...tool, name: 'a__find', _meta }]);
    expect(await listTools(test, 'legacy')).toEqual([{ ...tool, name: 'a__find', _meta }]);
  });

  test('leaves out what would make a client refuse all of it', async () => {
    const tools: ToolDescription[] = [
      { name: 'untyped', inputSchema: {} },
      { name: 'array', inputSchema: { type: 'object' }, outputSchema: { type: 'array' } },
      { name: 'broken', inputSchema: {}, broken: 'its input schema is not an object' },
    ];
    await using test = await openTestGateway({ a: { tools } });
    const older = await listTools(test, 'legacy');
    expect(older).toMatchObject([
      { name: 'a__array' },
      { name: 'a__untyped', inputSchema: { type: 'object' } },
    ]);
    expect(older[0]).not.toHaveProperty('outputSchema');
    expect((await listTools(test, 'modern'))[0]).toMatchObject({ outputSchema: { type: 'array' } });
    const answer = await ask(test, 'tools/call', { name: 'a__broken' });
    expect(answer).toMatchObject({
      result: { isError: true, _meta: { 'errand/code': 'invalid_params' } },
    });
  });

  test('waits no longer than its patience for a server that is starting', async () => {
    await using test = await openTestGateway({ a: {} }, { patienceMs: 100 });
    const { connector, change } = test.memory;
    connector.behaviours.set('slow', { connect: ({ signal }) => untilAborted(signal) });
    await change({ mcpServers: [localServer('a'), localServer('slow')] });
    expect(await listTools(test, 'legacy')).toMatchObject([{ name: 'a__echo' }]);
  });

  test('follows a server that is renamed or switched off', async () => {
    await using test = await openTestGateway({ a: {} });
    const changed = () =>
      new Promise<void>((resolve) => test.gateway.onListChanged(() => resolve()));
    const renamed = changed();
    await test.memory.change({ mcpServers: [localServer('a', { name: 'z' })] });
    await renamed;
    expect(await listTools(test, 'legacy')).toMatchObject([{ name: 'z__echo' }]);
    const switchedOff = changed();
    await test.memory.change({ mcpServers: [localServer('a', { name: 'z', enabled: false })] });
    await switchedOff;
    expect(await listTools(test, 'legacy')).toEqual([]);
  });
});

describe('a call', () => {
  test('is made by the executor in the name of the client, without a limit', async () => {
    await using test = await openTestGateway();
    for (let index = 0; index < 30; index += 1) {
      expect(await ask(test, 'tools/call', echo)).toMatchObject({
        result: { content: [{ text: 'hi' }] },
      });
    }
    expect(test.memory.log.records).toHaveLength(30);
    expect(test.memory.log.records[0]).toMatchObject({
      source: 'gateway',
      server: 'a',
      tool: 'echo',
    });
    expect(test.memory.host.sessions.usage('gateway:test')).toEqual({ executed: 30, limit: -1 });
  });

  test('passes results on as they came, unknown parts included', async () => {
    const result: RawToolResult = {
      content: [
        { type: 'hologram', shape: 'cube' },
        { type: 'text', text: 'ü', annotations: { priority: 1 } },
      ],
      structuredContent: { sum: 3 },
      isError: true,
      _meta: { 'com.example/cost': 2 },
    };
    await using test = await openTestGateway({ a: { call: async () => result } });
    expect(await ask(test, 'tools/call', echo)).toMatchObject({ id: 1, result });
    expect(await ask(test, 'tools/call', echo, 'modern')).toMatchObject({
      result: { ...result, resultType: 'complete' },
    });
  });

  test('gives an older client structured content that is no object as text', async () => {
    const result: RawToolResult = { content: [], structuredContent: [1, 2] };
    await using test = await openTestGateway({ a: { call: async () => result } });
    expect(await ask(test, 'tools/call', echo, 'modern')).toMatchObject({ result });
    expect(await ask(test, 'tools/call', echo)).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: { content: [{ type: 'text', text: '[1,2]' }] },
    });
  });

  test('that fails outside its tool is a result that a model can read', async () => {
    const call = async () => {
      throw new HostError('tool_failed', 'Server "a" refused the request: no.');
    };
    await using test = await openTestGateway({ a: { call } });
    expect(await ask(test, 'tools/call', echo)).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: {
        content: [{ type: 'text', text: 'Server "a" refused the request: no.' }],
        isError: true,
        _meta: { 'errand/code': 'tool_failed' },
      },
    });
  });

  test('that does not fit the schema says which parameter', async () => {
    await using test = await openTestGateway();
    const answer = await ask(test, 'tools/call', { ...echo, arguments: { text: 5 } });
    expect(JSON.stringify(answer)).toContain('Parameter \\"text\\": expected string, got 5');
  });

  test('passes the client’s own metadata on, and not that of its wire', async () => {
    const calls: ToolCall[] = [];
    const call = async (made: ToolCall) => {
      calls.push(made);
      return textResult('');
    };
    await using test = await openTestGateway({ a: { call } });
    await ask(test, 'tools/call', echo);
    const _meta = {
      progressToken: 1,
      traceparent: '00-1-2-3',
      'io.modelcontextprotocol/clientInfo': {},
    };
    await ask(test, 'tools/call', { ...echo, _meta });
    expect(calls.map(({ meta }) => meta)).toEqual([
      { 'errand/hops': 1 },
      { 'errand/hops': 1, traceparent: '00-1-2-3' },
    ]);
  });
});

test('answers an internal error for a defect of the gateway', async () => {
  await using test = await openTestGateway(
    { a: {} },
    {
      scope: () => {
        throw new Error('out of cheese');
      },
    },
  );
  expect(await ask(test, 'tools/list', {}, 'legacy', 'note=x.md')).toMatchObject({
    error: { code: -32603, message: 'Internal error: out of cheese' },
  });
});
