import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { ConnectionBench, callText, soon } from '../../testing/connection-bench.ts';
import { OddHttpServer } from '../../testing/odd-http-server.ts';

const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const text = '{"content":[{"type":"text","text":"answered"}]}';
const mebibyte = 1024 * 1024;

/** Messages that belong to nobody; the true answer comes behind them. */
const odd: Readonly<Record<string, string>> = {
  'a deep id': `{"jsonrpc":"2.0","id":${deep(20_000)},"result":${text}}`,
  'a deep id of a request': `{"jsonrpc":"2.0","id":${deep(20_000)},"method":"ping"}`,
  'a deep error for nobody': `{"jsonrpc":"2.0","id":null,"error":${deep(20_000)}}`,
  'a message without a method': '{"jsonrpc":"2.0"}',
  'a method that is a number': '{"jsonrpc":"2.0","method":5}',
  'an id with toString': `{"jsonrpc":"2.0","id":{"toString":1},"result":${text}}`,
  'a deep token': `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${deep(150)},"progress":1}}`,
  'a list of nothing': '[null,5,"text"]',
  'no JSON': 'Welcome!',
};

test.each(
  Object.entries(odd).flatMap(([name, message]) =>
    (['http', 'sse'] as const).map((transport) => [name, transport, message] as const),
  ),
)('%s on a stream over %s ends neither host nor connection', async (_name, transport, message) => {
  await using bench = new ConnectionBench();
  await using server = await new OddHttpServer({
    call: (id, response) => writeEvents(response, message, answer(id)),
  }).start();
  const url = transport === 'sse' ? server.sseUrl : server.url;
  const connection = await bench.external(url, { transport });
  expect(await callText(connection, 'first')).toBe('answered');
  expect(await callText(connection, 'second')).toBe('answered');
});

/** Bodies of 200 that cannot be taken, and the failure of the call. */
const refused: Readonly<Record<string, readonly [string, object]>> = {
  'of 20,000 levels': [
    `{"jsonrpc":"2.0","id":ID,"result":{"content":[],"x":${deep(20_000)}}}`,
    { code: 'result_too_large', message: expect.stringContaining('deeper than 200 levels') },
  ],
  'of 20,000 levels with its id behind them': [
    `{"jsonrpc":"2.0","result":{"structuredContent":${deep(20_000)}},"id":ID}`,
    { code: 'result_too_large', message: expect.stringContaining('deeper than 200 levels') },
  ],
  'with a deep error': [
    `{"jsonrpc":"2.0","id":ID,"error":{"code":1,"message":"x","data":${deep(20_000)}}}`,
    { code: 'result_too_large' },
  ],
  'with an error that is a text': [
    '{"jsonrpc":"2.0","id":ID,"error":"no such day"}',
    { code: 'tool_failed', message: 'Server "scripted" refused the request: no such day' },
  ],
  'with neither result nor error': [
    '{"jsonrpc":"2.0","id":ID}',
    { code: 'tool_failed', message: expect.stringContaining('It did not say why') },
  ],
  'of more than 10,000 parts': [
    `{"jsonrpc":"2.0","id":ID,"result":{"content":[${'{"type":"text","text":""},'.repeat(10_000)}{}]}}`,
    { code: 'result_too_large', message: expect.stringContaining('10001 parts') },
  ],
  'of 60 MB in 20 million parts': [
    `{"jsonrpc":"2.0","id":ID,"result":{"content":[${'{},'.repeat(20_000_000)}{}]}}`,
    { code: 'result_too_large', message: expect.stringContaining('2,000,000 values') },
  ],
  'of 70 MiB': [
    `{"jsonrpc":"2.0","id":ID,"result":{"content":[{"type":"text","text":"${'x'.repeat(70 * mebibyte)}"}]}}`,
    { code: 'result_too_large', message: expect.stringContaining('64 MiB is the most') },
  ],
};

test.each(
  Object.entries(refused).flatMap(([name, [body, failure]]) =>
    (['document', 'stream', 'sse'] as const).map((way) => [name, way, body, failure] as const),
  ),
)(
  'an answer %s, as a %s, fails its call at once and only that one',
  async (_name, way, body, failure) => {
    await using bench = new ConnectionBench();
    await using server = await new OddHttpServer({
      call: (id, response, tool) => {
        const message = tool === 'odd' ? body.replace('ID', String(id)) : answer(id);
        if (way === 'document') writeDocument(response, message);
        // A stream that stays open: nobody may wait for its end.
        else writeOpenEvents(response, message);
      },
    }).start();
    const transport = way === 'sse' ? 'sse' : 'http';
    const connection = await bench.external(way === 'sse' ? server.sseUrl : server.url, {
      transport,
    });
    await expect(callText(connection, 'odd')).rejects.toMatchObject(failure);
    expect(await callText(connection, 'after')).toBe('answered');
  },
);

test.each(['http', 'sse'] as const)(
  'an endless event over %s takes no more memory than a message may have',
  async (transport) => {
    await using bench = new ConnectionBench();
    const line = `data: ${'x'.repeat(100)}\n`.repeat(10_000);
    const written = { bytes: 0 };
    await using server = await new OddHttpServer({
      call: (id, response, tool) => {
        if (tool !== 'odd') return writeOpenEvents(response, answer(id));
        if (!response.headersSent) response.writeHead(200, events);
        response.write(`data: {"jsonrpc":"2.0","id":${id},"result":\n`);
        const write = () => {
          if (written.bytes > 1024 * mebibyte || response.destroyed) return;
          written.bytes += line.length;
          response.write(line, write);
        };
        write();
      },
    }).start();
    const before = process.memoryUsage.rss();
    const url = transport === 'sse' ? server.sseUrl : server.url;
    const connection = await bench.external(url, { transport });
    await expect(callText(connection, 'odd')).rejects.toMatchObject({ code: 'result_too_large' });
    expect(process.memoryUsage.rss() - before).toBeLessThan(1000 * mebibyte);
  },
);

test('counts what each line of an event takes, not only its bytes', async () => {
  await using bench = new ConnectionBench();
  await using server = await new OddHttpServer({
    call: (id, response) => {
      response.writeHead(200, events);
      response.write('data:\n'.repeat(5_000_000));
      response.end(`data: ${answer(id)}\n\n`);
    },
  }).start();
  const connection = await bench.external(server.url);
  await expect(callText(connection, 'odd')).rejects.toMatchObject({ code: 'result_too_large' });
});

test('takes an answer that is spread over many lines, and heartbeats without number', async () => {
  await using bench = new ConnectionBench();
  await using server = await new OddHttpServer({
    call: (id, response) => {
      response.writeHead(200, events);
      for (let megabyte = 0; megabyte < 80; megabyte += 1) {
        response.write(`: ${'x'.repeat(1020)}\r\n\r\n`.repeat(1024));
      }
      const content = Array.from({ length: 9000 }, () => ({ type: 'text', text: 'a\u2028b' }));
      const lines = JSON.stringify({ jsonrpc: '2.0', id, result: { content } }, null, 2);
      response.end(`${lines.replace(/^/gm, 'data: ').replaceAll('\n', '\r\n')}\r\n\r\n`);
    },
  }).start();
  const connection = await bench.external(server.url);
  const { content } = await connection.callTool({ tool: 'x', arguments: {} }, { signal: soon() });
  expect(content).toHaveLength(9000);
});

const events = { 'content-type': 'text/event-stream' };

function answer(id: string | number): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${text}}`;
}

function writeDocument(response: ServerResponse, body: string): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(body);
}

/** The older transport has one stream for everything, which stays open. */
function writeEvents(response: ServerResponse, ...messages: readonly string[]): void {
  const isShared = response.headersSent;
  writeOpenEvents(response, ...messages);
  if (!isShared) response.end();
}

function writeOpenEvents(response: ServerResponse, ...messages: readonly string[]): void {
  if (!response.headersSent) response.writeHead(200, events);
  for (const message of messages) response.write(`data: ${message}\n\n`);
}
