import type { ServerResponse } from 'node:http';
import { expect, test, vi } from 'vitest';
import { ConnectionBench, callText } from '../../testing/connection-bench.ts';
import { OddHttpServer } from '../../testing/odd-http-server.ts';

const events = { 'content-type': 'text/event-stream' };
const calls = 20;

/** What a server does about calls so that their sockets stay open. */
const holding: Readonly<Record<string, (id: string | number, response: ServerResponse) => void>> = {
  'answers and leaves the stream open': (id, response) => {
    response.writeHead(200, events).write(`data: ${answer(id)}\n\n`);
  },
  'answers a call with an endless stream of comments': (id, response) => {
    response.writeHead(200, events).write(`data: ${answer(id)}\n\n`);
    const beat = setInterval(() => response.write(':\n\n'), 50);
    response.once('close', () => clearInterval(beat));
  },
};

// Each waits some seconds until sockets are given up: all at once.
test.concurrent.each(Object.entries(holding))(
  'gives up the sockets of a server that %s',
  async (_name, call) => {
    await using bench = new ConnectionBench();
    await using server = await new OddHttpServer({ call }).start();
    const connection = await bench.external(server.url);
    await Promise.allSettled(
      Array.from({ length: calls }, () =>
        connection.callTool({ tool: 'x', arguments: {} }, { signal: AbortSignal.timeout(300) }),
      ),
    );
    await fewConnections(server);
  },
);

test.concurrent('gives up the sockets of a server that takes neither calls nor their cancels', async () => {
  await using bench = new ConnectionBench();
  await using server = await new OddHttpServer({
    call: () => {
      server.answers = { any: ({ method }) => method === 'POST' };
    },
  }).start();
  const connection = await bench.external(server.url);
  await Promise.allSettled(
    Array.from({ length: calls }, () =>
      connection.callTool({ tool: 'x', arguments: {} }, { signal: AbortSignal.timeout(300) }),
    ),
  );
  await fewConnections(server);
});

test.concurrent('gives up the sockets of an SSE server that never ends what it says to a POST', async () => {
  await using bench = new ConnectionBench();
  let stream: ServerResponse | undefined;
  await using server = await new OddHttpServer({
    call: (id, response) => {
      stream = response;
      response.write(`data: ${answer(id)}\n\n`);
    },
  }).start();
  const connection = await bench.external(server.sseUrl, { transport: 'sse' });
  await callText(connection, 'x');
  let id = 1000;
  server.answers = {
    any: ({ method }, response) => {
      if (method !== 'POST') return false;
      if (id % 2 === 0) response.writeHead(202).flushHeaders();
      for (const _ of [1, 2, 3]) stream?.write(`data: ${answer(id++)}\n\n`);
      return true;
    },
  };
  await Promise.allSettled(
    Array.from({ length: calls }, () =>
      connection.callTool({ tool: 'x', arguments: {} }, { signal: AbortSignal.timeout(300) }),
    ),
  );
  // Cancels are told to it too, and take a little longer to give up.
  await fewConnections(server);
});

test.concurrent('takes the first word of an SSE server where to send messages, and no later one', async () => {
  await using bench = new ConnectionBench();
  await using server = await new OddHttpServer({
    call: (id, response) => {
      response.write(`event: endpoint\ndata: /elsewhere\n\ndata: ${answer(id)}\n\n`);
    },
  }).start();
  const connection = await bench.external(server.sseUrl, { transport: 'sse' });
  expect(await callText(connection, 'x')).toBe('answered');
  expect(await callText(connection, 'x')).toBe('answered');
  expect(server.requests).not.toContain('POST /elsewhere');
});

async function fewConnections(server: OddHttpServer): Promise<void> {
  const isDone = async () => expect(await server.connections()).toBeLessThanOrEqual(3);
  await vi.waitFor(isDone, { timeout: 15_000 });
}

function answer(id: string | number): string {
  const result = { content: [{ type: 'text', text: 'answered' }] };
  return JSON.stringify({ jsonrpc: '2.0', id, result });
}
