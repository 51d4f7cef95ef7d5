import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { ConnectionBench, callText, soon } from '../../testing/connection-bench.ts';
import { OddHttpServer } from '../../testing/odd-http-server.ts';

const html = { 'content-type': 'text/html' };
const json = { 'content-type': 'application/json' };
const error = { code: -32600, message: 'no such day' };

/** Answers to a call that make no sense, and what is said about them. */
const odd: Readonly<Record<string, readonly [(response: ServerResponse) => void, string]>> = {
  '200 with a page': [(it) => it.writeHead(200, html).end('<h1>Hi</h1>'), 'text/html instead of'],
  '200 with nothing': [(it) => it.writeHead(200).end(), 'HTTP 200 and nothing else'],
  '200 with other JSON': [
    (it) => it.writeHead(200, json).end('[1]'),
    'does not answer the request',
  ],
  '200 with an error for nobody': [
    (it) => it.writeHead(200, json).end(JSON.stringify({ jsonrpc: '2.0', id: null, error })),
    'refused the request: no such day',
  ],
  '202 with nothing': [(it) => it.writeHead(202).end(), 'HTTP 202 and nothing else'],
  '204': [(it) => it.writeHead(204).end(), 'HTTP 204 and nothing else'],
  '299 with text': [(it) => it.writeHead(299).end('well'), 'instead of MCP'],
  '101 without being asked': [
    (it) => it.socket?.end('HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
    'switched to another protocol (HTTP 101)',
  ],
  '307 to another origin': [
    (it) => it.writeHead(307, { location: 'https://elsewhere.example/mcp' }).end(),
    'redirects to https://elsewhere.example/mcp',
  ],
  '302 without an address': [(it) => it.writeHead(302).end(), 'redirects without saying where'],
  '304': [(it) => it.writeHead(304).end(), 'redirects without saying where'],
  '400 with an error for nobody': [
    (it) => it.writeHead(400, json).end(JSON.stringify({ jsonrpc: '2.0', id: null, error })),
    'HTTP 400 Bad Request: no such day',
  ],
  '500 whose body never ends': [
    (it) => it.writeHead(500).write('Oh'),
    'HTTP 500 Internal Server Error',
  ],
  '999': [(it) => it.writeHead(999, html).end('<h1>Hi</h1>'), 'HTTP 999'],
  'no HTTP at all': [(it) => it.socket?.end('SSH-2.0-OpenSSH_9.9\r\n'), 'that is not HTTP'],
  'a header that is too large': [
    (it) => it.socket?.end(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}\r\n\r\n`),
    'that is not HTTP',
  ],
  'a body that breaks off': [
    (it) => it.writeHead(200, json).write('{', () => it.socket?.destroy()),
    'cut before the whole answer came',
  ],
};

test.each(Object.entries(odd))(
  'an answer of %s is an error at once, in words',
  async (_name, [write, words]) => {
    await using bench = new ConnectionBench();
    await using server = await new OddHttpServer({
      call: (_id, response) => write(response),
    }).start();
    const connection = await bench.external(server.url);
    await expect(callText(connection, 'odd')).rejects.toThrow(words);
    server.answers = { call: (id, response) => writeAnswer(response, id) };
    expect(await callText(connection, 'after')).toBe('answered');
  },
);

test.each([
  [429, '7', { isPassing: true, neverSent: true, retryAfter: 7000 }, 'in 7 s'],
  [429, undefined, { isPassing: true, neverSent: true }, 'in a moment'],
  [503, '120', { isPassing: true, retryAfter: 120_000 }, 'in 120 s'],
] as const)(
  'reports HTTP %i with Retry-After %s at once, with how long to wait',
  async (status, wait, facts, words) => {
    await using bench = new ConnectionBench();
    await using server = await new OddHttpServer({
      call: (_id, response) => void response.writeHead(status, retryAfter(wait)).end(),
    }).start();
    const connection = await bench.external(server.url);
    const failure = await callText(connection, 'busy').catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'server_unavailable', facts });
    expect(failure).toHaveProperty('message', expect.stringContaining(words));
  },
);

test('does not count a request to wait as a failure, also while connecting', async () => {
  await using bench = new ConnectionBench();
  await using server = await new OddHttpServer({
    any: (_request, response) => {
      response.writeHead(429, retryAfter('30')).end();
      return true;
    },
  }).start();
  await expect(bench.external(server.url)).rejects.toMatchObject({
    code: 'server_unavailable',
    facts: { isPassing: true, retryAfter: 30_000 },
  });
  server.answers = {};
  const connection = await bench.external(server.url);
  server.answers = {
    any: (_request, response) => {
      response.writeHead(429).end();
      return true;
    },
  };
  // Who answers is alive.
  await connection.ping(soon());
});

test('503 without a time is a failure like any other', async () => {
  await using bench = new ConnectionBench();
  await using server = await new OddHttpServer({
    call: (_id, response) => void response.writeHead(503).end(),
  }).start();
  const connection = await bench.external(server.url);
  const failure = await callText(connection, 'busy').catch((error: unknown) => error);
  expect(failure).toHaveProperty('facts', { server: 'scripted', tool: 'busy' });
});

function retryAfter(wait: string | undefined): Record<string, string> {
  return wait === undefined ? {} : { 'retry-after': wait };
}

function writeAnswer(response: ServerResponse, id: string | number): void {
  const result = { content: [{ type: 'text', text: 'answered' }] };
  response.writeHead(200, json).end(JSON.stringify({ jsonrpc: '2.0', id, result }));
}
