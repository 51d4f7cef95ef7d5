import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { fetchOverNode } from './fetch-over-node.ts';

let server: Server | undefined;
afterEach(() => {
  server?.close();
  server?.closeAllConnections();
});

async function serve(listener: RequestListener): Promise<string> {
  server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

test('sends what fetch would send', async () => {
  const came = Promise.withResolvers<readonly unknown[]>();
  const url = await serve(async (request, response) => {
    const { method, headers, url: path } = request;
    came.resolve([method, path, headers['x-key'], headers['content-length'], await text(request)]);
    response.writeHead(201, { 'x-answer': 'yes' }).end('grüß');
  });
  const headers = { 'x-key': 'k' };
  const response = await fetchOverNode(`${url}a?b`, { method: 'POST', headers, body: 'wäre' });
  expect(await came.promise).toEqual(['POST', '/a?b', 'k', '5', 'wäre']);
  expect([response.status, response.headers.get('x-answer')]).toEqual([201, 'yes']);
  expect(await response.text()).toBe('grüß');
});

test('hands on an answer while it is coming', async () => {
  const more = Promise.withResolvers<void>();
  const url = await serve(async (_, response) => {
    response.write('one');
    await more.promise;
    response.end('two');
  });
  const { body } = await fetchOverNode(url);
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  expect(await reader?.read()).toEqual({ done: false, value: 'one' });
  more.resolve();
  expect(await reader?.read()).toEqual({ done: false, value: 'two' });
  expect(await reader?.read()).toMatchObject({ done: true });
});

test('hangs up when it is aborted, before and during the answer', async () => {
  const asked: ServerResponse[] = [];
  const url = await serve((request, response) => {
    asked.push(response);
    if (request.url === '/late') response.write('one');
  });
  for (const path of ['silent', 'late']) {
    const stop = new AbortController();
    const asking = fetchOverNode(`${url}${path}`, { signal: stop.signal }).then((each) =>
      each.text(),
    );
    await expect.poll(() => asked.length).toBe(1);
    const closed = once(asked.pop() as ServerResponse, 'close');
    stop.abort(new Error('enough'));
    await expect(asking).rejects.toThrow('enough');
    await closed;
  }
});

test('hangs up when nobody reads on', async () => {
  const closed = Promise.withResolvers<void>();
  const url = await serve((_, response) => {
    response.on('close', () => closed.resolve()).write('one');
  });
  const { body } = await fetchOverNode(url);
  await body?.cancel();
  await closed.promise;
});

test('fails like fetch when nobody answers and when the answer breaks off', async () => {
  const url = await serve((_, response) => {
    response.write('one', () => response.destroy());
  });
  await expect((await fetchOverNode(url)).text()).rejects.toThrow('fetch failed');
  server?.close();
  server?.closeAllConnections();
  await expect(fetchOverNode(url)).rejects.toThrow('fetch failed');
});

test('follows no redirect', async () => {
  const url = await serve((_, response) => {
    response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end();
  });
  const response = await fetchOverNode(url, { redirect: 'manual' });
  expect([response.status, response.headers.get('location')]).toEqual([307, 'http://127.0.0.1:1/']);
});

test('asks for an answer that is not packed', async () => {
  const url = await serve((request, response) => {
    response.end(request.headers['accept-encoding']);
  });
  expect(await (await fetchOverNode(url)).text()).toBe('identity');
});

test('fails like fetch when a server answers with what no answer can have', async () => {
  const url = await serve((_, response) => {
    response.writeHead(999, 'Go away').end('No.');
  });
  await expect(fetchOverNode(url)).rejects.toThrow('fetch failed');
});

test('reads on only as fast as somebody takes it', async () => {
  const most = 64 * 1024 * 1024;
  let written = 0;
  const isFull = Promise.withResolvers<void>();
  const url = await serve((_, response) => {
    const chunk = Buffer.alloc(1024 * 1024);
    const more = () => {
      while (written < most) {
        written += chunk.length;
        if (!response.write(chunk)) {
          isFull.resolve();
          response.once('drain', more);
          return;
        }
      }
      response.end();
    };
    more();
  });
  const { body } = await fetchOverNode(url);
  await isFull.promise;
  let read = 0;
  for await (const bytes of body ?? []) {
    read += bytes.length;
    // What the system holds of a connection on loopback is far less than half.
    expect(written - read).toBeLessThan(most / 2);
  }
  expect(read).toBe(most);
});
