import { describe, expect, test } from 'vitest';
import type { RawToolResult, ToolCall, ToolDescription } from '../connection.ts';
import { HostError } from '../host-error.ts';
import { localServer } from '../testing/local-server.ts';
import { echoTool, textResult, untilAborted } from '../testing/memory-connector.ts';
import type { Answer } from './gateway.ts';
import { openTestGateway, type TestGateway } from './open-test-gateway.ts';

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
    expect(await list(test, 'modern')).toEqual([{ ...tool, name: 'a__find', _meta }]);
    expect(await list(test, 'legacy')).toEqual([{ ...tool, name: 'a__find', _meta }]);
  });

  test('leaves out what would make a client refuse all of it', async () => {
    const tools: ToolDescription[] = [
      { name: 'untyped', inputSchema: {} },
      { name: 'array', inputSchema: { type: 'object' }, outputSchema: { type: 'array' } },
      { name: 'broken', inputSchema: {}, broken: 'its input schema is not an object' },
    ];
    await using test = await openTestGateway({ a: { tools } });
    const older = await list(test, 'legacy');
    expect(older).toMatchObject([
      { name: 'a__untyped', inputSchema: { type: 'object' } },
      { name: 'a__array' },
    ]);
    expect(older[1]).not.toHaveProperty('outputSchema');
    expect((await list(test, 'modern'))[1]).toMatchObject({ outputSchema: { type: 'array' } });
    const answer = await ask(test, 'tools/call', { name: 'a__broken' });
    expect(answer).toMatchObject({
      result: { isError: true, _meta: { 'errand/code': 'invalid_params' } },
    });
  });

  test('has the servers that are there, without waiting for one that is not', async () => {
    await using test = await openTestGateway({ a: {} });
    const { connector, change } = test.memory;
    connector.behaviours.set('slow', { connect: ({ signal }) => untilAborted(signal) });
    await change({ mcpServers: [localServer('a'), localServer('slow')] });
    expect(await list(test, 'legacy')).toMatchObject([{ name: 'a__echo' }]);
  });

  test('follows a server that is renamed or switched off', async () => {
    await using test = await openTestGateway({ a: {} });
    const changed = () => new Promise<void>((resolve) => test.gateway.onToolsChanged(resolve));
    const renamed = changed();
    await test.memory.change({ mcpServers: [localServer('a', { name: 'z' })] });
    await renamed;
    expect(await list(test, 'legacy')).toMatchObject([{ name: 'z__echo' }]);
    const switchedOff = changed();
    await test.memory.change({ mcpServers: [localServer('a', { name: 'z', enabled: false })] });
    await switchedOff;
    expect(await list(test, 'legacy')).toEqual([]);
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

  test('that fails beside its tool is told as a result that a model can read', async () => {
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

describe('a gateway that reaches itself', () => {
  test('refuses the call after four rounds', async () => {
    const seen: unknown[] = [];
    let again: TestGateway | undefined;
    const call = async ({ meta }: ToolCall): Promise<RawToolResult> => {
      seen.push(meta?.['errand/hops']);
      const answer = await ask(again as TestGateway, 'tools/call', { ...echo, _meta: meta });
      return textResult(JSON.stringify(answer));
    };
    await using test = await openTestGateway({ a: { call } });
    again = test;
    const answer = await ask(test, 'tools/call', echo);
    expect(seen).toEqual([1, 2, 3, 4]);
    expect(JSON.stringify(answer)).toContain('one of them reaches itself');
  });

  test('lists its own tools four times at most', async () => {
    const own = (hops: number) => ({
      ...echoTool,
      name: `n${hops}`,
      _meta: { 'errand/hops': hops },
    });
    await using test = await openTestGateway({ a: { tools: [1, 2, 3, 4, 5].map(own) } });
    expect(await list(test, 'legacy')).toMatchObject([
      { name: 'a__n1', _meta: { 'errand/hops': 2 } },
      { name: 'a__n2' },
      { name: 'a__n3' },
    ]);
  });
});

describe('the scope of a note', () => {
  const scope = async (query: URLSearchParams) =>
    query.get('note') === 'gone.md'
      ? new HostError('section_forbids', 'Note "gone.md" does not exist.')
      : (server: string) => server === query.get('line');

  test('limits what is listed and what can be called', async () => {
    await using test = await openTestGateway({ a: {}, b: {} }, { scope });
    expect(await list(test, 'modern', 'note=x.md&line=b')).toMatchObject([{ name: 'b__echo' }]);
    expect(await list(test, 'modern', 'other=1')).toHaveLength(2);
    const inScope = { ...echo, name: 'b__echo' };
    const query = 'note=x.md&line=b';
    expect(await ask(test, 'tools/call', inScope, 'legacy', query)).toHaveProperty('result');
    expect(await ask(test, 'tools/call', echo, 'legacy', query)).toMatchObject({
      error: { code: -32602 },
    });
    expect(test.memory.log.records).toHaveLength(1);
  });

  test('that cannot be made out offers nothing and says why', async () => {
    await using test = await openTestGateway({ a: {} }, { scope });
    const error = { code: -32602, message: 'Invalid params: Note "gone.md" does not exist.' };
    for (const [method, params] of [
      ['tools/list', {}],
      ['tools/call', echo],
    ] as const) {
      expect(await ask(test, method, params, 'legacy', 'note=gone.md')).toMatchObject({ error });
    }
  });

  test('is refused by a gateway that knows no notes', async () => {
    await using test = await openTestGateway();
    expect(await ask(test, 'tools/list', {}, 'legacy', 'note=x.md')).toHaveProperty('error');
  });

  test('is read from the address of every request', async () => {
    await using test = await openTestGateway({ a: {}, b: {} }, { scope });
    const session = await test.initialize();
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const headers = { ...session, 'content-type': 'application/json' };
    const response = await fetch(`${test.url}?note=x.md&line=a`, { method: 'POST', headers, body });
    expect(await response.json()).toMatchObject({ result: { tools: [{ name: 'a__echo' }] } });
  });
});

test('a defect of ours is an internal error, not silence', async () => {
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

async function ask(
  { gateway }: TestGateway,
  method: string,
  params: Readonly<Record<string, unknown>>,
  era: 'legacy' | 'modern' = 'legacy',
  query = '',
): Promise<Record<string, unknown>> {
  const { signal } = new AbortController();
  const exchange = { era, sessionId: 'gateway:test', query, signal, notify: () => {} };
  const answer = await gateway.answer({ kind: 'request', id: 1, method, params }, exchange);
  return JSON.parse((answer as Answer).line);
}

async function list(test: TestGateway, era: 'legacy' | 'modern', query = ''): Promise<unknown[]> {
  const { result } = await ask(test, 'tools/list', {}, era, query);
  return (result as { tools: unknown[] }).tools;
}
