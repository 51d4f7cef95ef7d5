import type { ServerResponse } from 'node:http';
import { setTimeout as pass } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ConnectionBench, callText } from '../../testing/connection-bench.ts';
import { OddHttpServer } from '../../testing/odd-http-server.ts';

const events = { 'content-type': 'text/event-stream' };

test.each([
  ['closes at once', 'retry: 0\n\n'],
  ['sends something each time', 'retry: 0\ndata: {"jsonrpc":"2.0","method":"x"}\n\n'],
])('a stream with "retry: 0" that %s is not asked for again and again', async (_name, body) => {
  await using bench = new ConnectionBench();
  await using server = await new OddHttpServer({
    stream: (response) => void response.writeHead(200, events).end(body),
  }).start();
  await bench.external(server.url);
  const streams = () => server.requests.filter((line) => line === 'GET /mcp').length;
  while (streams() < 2) await pass(10);
  await pass(500);
  expect(streams()).toBeLessThan(5);
});

test('an answer whose rest is offered with "retry: 0" for ever is asked for a few times a second', async () => {
  await using bench = new ConnectionBench();
  let count = 0;
  const next = () => {
    count += 1;
    return `id: ${count}\nretry: 0\ndata:\n\n`;
  };
  await using server = await new OddHttpServer({
    call: (_id, response) => void response.writeHead(200, events).end(next()),
    stream: (response, { headers }) => {
      const isRest = headers['last-event-id'] !== undefined;
      if (isRest) response.writeHead(200, events).end(next());
      else response.writeHead(405).end();
    },
  }).start();
  const connection = await bench.external(server.url);
  const call = connection.callTool(
    { tool: 'x', arguments: {} },
    { signal: AbortSignal.timeout(1000) },
  );
  await expect(call).rejects.toMatchObject({ code: 'timeout' });
  expect(server.requests.filter((line) => line === 'GET /mcp').length).toBeLessThan(20);
});

test('an answer goes on after an event that has an id and no data', async () => {
  await using bench = new ConnectionBench();
  let asked: string | number = 0;
  await using server = await new OddHttpServer({
    call: (id, response) => {
      asked = id;
      response.writeHead(200, events).end('id: 1\nretry: 10\ndata:\n\n');
    },
    stream: (response, { headers }) => {
      if (headers['last-event-id'] !== '1') return void response.writeHead(405).end();
      const result = { content: [{ type: 'text', text: 'the rest' }] };
      const answer = JSON.stringify({ jsonrpc: '2.0', id: asked, result });
      response.writeHead(200, events).end(`data: ${answer}\n\n`);
    },
  }).start();
  const connection = await bench.external(server.url);
  expect(await callText(connection, 'x')).toBe('the rest');
});

test.each(['http', 'sse'] as const)(
  'a server that asks for ever over %s and takes no answer loses its connection',
  async (transport) => {
    await using bench = new ConnectionBench();
    let asked = 0;
    const ask = (response: ServerResponse) => {
      if (response.destroyed || asked > 100_000) return;
      const questions = Array.from({ length: 100 }, () => {
        asked += 1;
        return `data: {"jsonrpc":"2.0","id":"q${asked}","method":"ping"}\n\n`;
      });
      response.write(questions.join(''), () => setImmediate(ask, response));
    };
    await using server = await new OddHttpServer({
      call: (_id, response) => {
        // From here on it takes nothing any more.
        server.answers = { any: ({ method }) => method === 'POST' };
        if (!response.headersSent) response.writeHead(200, events);
        ask(response);
      },
    }).start();
    const url = transport === 'sse' ? server.sseUrl : server.url;
    const connection = await bench.external(url, { transport });
    await expect(callText(connection, 'x')).rejects.toThrow('asks without reading the answers');
    expect((await connection.lost).message).toContain('asks without reading the answers');
    expect(server.requests.length).toBeLessThan(500);
  },
);
