import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cut } from '../testing/cut.ts';
import { exampleServer } from '../testing/example-tools.ts';
import type { RawMessage } from '../testing/raw-client.ts';
import { serveToRawClient } from '../testing/serve-in-process.ts';

/** Something a client may write, and what must come back: an id with a code or `ok`, or nothing. */
interface Probe {
  readonly bytes: Buffer;
  readonly answer?: string;
}

const lineBytes = 4_096;
let lastId = 0;

const json = (value: unknown, answer?: string): Probe => ({
  bytes: Buffer.from(JSON.stringify(value)),
  ...(answer !== undefined && { answer }),
});
const request = (fields: object, answer: string): Probe => {
  lastId += 1;
  return json({ jsonrpc: '2.0', id: lastId, ...fields }, `${lastId} ${answer}`);
};

const probe = fc.oneof(
  fc.constant('ping').map((method) => request({ method }, 'ok')),
  fc.string().map((text) => call('echo', { text }, 'ok')),
  fc.string().map((name) => request({ method: `no/${name}` }, '-32601')),
  fc.string().map((key) => call('echo', { text: '', [`x${key}`]: 1 }, 'ok')),
  fc.integer().map((name) => request({ method: 'tools/call', params: { name } }, '-32602')),
  fc.constant('x').map((name) => call(name, {}, '-32602')),
  fc.array(fc.anything()).map((params) => request({ method: 'ping', params }, '-32602')),
  fc.integer().map((method) => request({ method }, '-32600')),
  fc.constant('1.0').map((jsonrpc) => request({ jsonrpc, method: 'ping' }, '-32600')),
  fc.constantFrom(1.5, null, true, {}).map((id) => json({ ...ping(), id }, 'null -32600')),
  fc.constantFrom(1, 'text', null, true).map((value) => json(value, 'null -32600')),
  fc.array(fc.constant({ ...ping(), id: 1 })).map((batch) => json(batch, 'null -32600')),
  fc.constantFrom('{', 'hello', '{"jsonrpc":"2.0",', "{'a':1}").map(broken),
  fc.constantFrom('', ' ', '\t \r').map((text): Probe => ({ bytes: Buffer.from(text) })),
  fc.constantFrom([0xff], [0x22, 0xc3, 0x22], [0xed, 0xa0, 0x80]).map((bytes) => ({
    bytes: Buffer.from(bytes),
    answer: 'null -32700',
  })),
  fc
    .integer({ min: lineBytes, max: lineBytes * 3 })
    .map((size) =>
      request({ method: 'ping', params: { id: 5, text: 'x'.repeat(size) } }, '-32600'),
    ),
  fc.constant({ jsonrpc: '2.0', method: 'notifications/nothing' }).map((value) => json(value)),
  fc.constant({ jsonrpc: '2.0', id: 99, result: {} }).map((value) => json(value)),
);

test('answers every line with the right code, however the bytes are cut', async () => {
  await using setting = await serveToRawClient(exampleServer, { limits: { lineBytes } });
  const { client } = setting;
  await client.initialize();
  await fc.assert(
    fc.asyncProperty(
      fc.array(probe, { maxLength: 12 }),
      fc.array(fc.integer({ min: 1, max: 300 }), { maxLength: 40 }),
      fc.constantFrom('\n', '\r\n'),
      async (probes, cuts, newline) => {
        const closing = request({ method: 'ping' }, 'ok');
        const all = [...probes, closing];
        const stream = Buffer.concat(all.flatMap(({ bytes }) => [bytes, Buffer.from(newline)]));
        for (const chunk of cut(stream, cuts)) client.write(chunk);
        const expected = all.flatMap(({ answer }) => answer ?? []);
        const answers: string[] = [];
        while (answers.length < expected.length) answers.push(summary(await client.next()));
        expect(answers.sort()).toEqual([...expected].sort());
      },
    ),
    { seed: 1, numRuns: 60 },
  );
});

test('answers what comes before initialize, and a version it does not know with one it does', async () => {
  await using setting = await serveToRawClient(exampleServer);
  const { client } = setting;
  expect(await client.request('tools/list')).toMatchObject({ error: { code: -32_600 } });
  expect(await client.request('ping')).toMatchObject({ result: {} });
  expect(await client.initialize('1999-01-01')).toMatchObject({
    result: { protocolVersion: '2025-11-25' },
  });
});

test('names the revisions it has when a request asks for another', async () => {
  await using setting = await serveToRawClient(exampleServer);
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2099-01-01',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  expect(await setting.client.request('tools/list', { _meta })).toMatchObject({
    error: { code: -32_022, data: { supported: ['2026-07-28'], requested: '2099-01-01' } },
  });
});

test('refuses an id that is in use and still answers the request that has it', async () => {
  await using setting = await serveToRawClient(exampleServer);
  const { client } = setting;
  await client.initialize();
  const count = { method: 'tools/call', params: { name: 'count', arguments: { to: 3 } } };
  client.send({ jsonrpc: '2.0', id: 1, ...count });
  client.send({ jsonrpc: '2.0', id: 1, ...count });
  expect(await client.next()).toMatchObject({ id: 1, error: { code: -32_600 } });
  expect(await client.next()).toMatchObject({
    id: 1,
    result: { structuredContent: { counted: 3 } },
  });
});

test('answers a batch of 2025-03-26 with one array', async () => {
  await using setting = await serveToRawClient(exampleServer);
  const { client } = setting;
  await client.initialize('2025-03-26');
  client.send([
    { jsonrpc: '2.0', id: 1, method: 'ping' },
    {
      jsonrpc: '2.0',
      id: 2,
      method: 'tools/call',
      params: { name: 'count', arguments: { to: 2 } },
    },
    { jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'hang' } },
    { jsonrpc: '2.0', id: 4, method: 7 },
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 3 } },
  ]);
  const answers = (await client.next()) as unknown as readonly RawMessage[];
  expect(answers.map(summary).sort()).toEqual(['1 ok', '2 ok', '4 -32600']);
});

function call(name: string, input: object, answer: string): Probe {
  return request({ method: 'tools/call', params: { name, arguments: input } }, answer);
}

function ping() {
  return { jsonrpc: '2.0', method: 'ping' };
}

function broken(text: string): Probe {
  return { bytes: Buffer.from(text), answer: 'null -32700' };
}

function summary({ id, error }: RawMessage): string {
  return `${id} ${error?.code ?? 'ok'}`;
}
