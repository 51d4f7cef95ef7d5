import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { EventStream, type EventStreamOptions, formatEvent } from './event-stream.ts';
import { closeServer, listen, urlAt } from './listen.ts';

test('writes events, ids and headers that no proxy holds back', async () => {
  await using setting = await openStream({ unsentBytes: 1_000, headers: { 'X-Own': '1' } });
  const { stream, url } = setting;
  const answer = await fetch(url);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
    'x-own': '1',
  });
  const opened = await stream;
  opened.send('{"a":1}');
  opened.offer('{"b":2}');
  opened.end('{"c":3}');
  opened.send('too late');
  opened.keepAlive();
  const events = ['{"a":1}', '{"b":2}', '{"c":3}'].map((data) => formatEvent(data));
  expect(await answer.text()).toBe(events.join(''));
  expect(formatEvent('1', undefined, 'x-7')).toBe('id: x-7\nevent: message\ndata: 1\n\n');
});

test('sends keep-alives while there is nothing to send', async () => {
  await using setting = await openStream({ unsentBytes: 1_000, keepAlive: 5 });
  const answer = await fetch(setting.url);
  const reader = answer.body?.getReader();
  expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe(': waiting\n\n');
  await reader?.cancel();
});

test('drops optional events for a client that does not read, and disconnects one that leaves too much unread', async () => {
  await using setting = await openStream({ unsentBytes: 8_000_000 });
  const { hostname, port } = new URL(setting.url);
  const socket = connect(Number(port), hostname).pause();
  socket.on('error', () => {});
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const stream = await setting.stream;
  const response = await setting.response;
  const large = 'x'.repeat(1_000_000);
  for (let count = 0; count < 1_000 && !response.writableNeedDrain; count += 1) stream.offer(large);
  const waiting = response.writableLength;
  stream.offer(large);
  stream.keepAlive();
  expect(response.writableLength).toBe(waiting);
  for (let count = 0; count < 1_000 && !response.destroyed; count += 1) stream.send(large);
  expect(response.destroyed).toBe(true);
  socket.destroy();
});

async function openStream(options: EventStreamOptions) {
  const response = Promise.withResolvers<ServerResponse>();
  const server = createServer((_, answered) => response.resolve(answered));
  const address = await listen(server, { port: 0, host: '127.0.0.1' }, () => {});
  return {
    url: urlAt(address, '/'),
    response: response.promise,
    stream: response.promise.then((answered) => new EventStream(answered, options)),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await Promise.all([once(server, 'close'), closeServer(server)]);
    },
  };
}
