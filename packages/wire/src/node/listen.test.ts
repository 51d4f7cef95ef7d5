import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { closeServer, isPortTaken, listen, urlAt } from './listen.ts';

const host = '127.0.0.1';
const ignore = () => {};

test('says when another program listens on a port', async () => {
  const first = createServer();
  const { port } = await listen(first, { port: 0, host }, ignore);
  const second = createServer();
  const error = await listen(second, { port, host }, ignore).catch((reason: unknown) => reason);
  expect(isPortTaken(error)).toBe(true);
  await listen(second, { port: 0, host }, ignore);
  await Promise.all([closeServer(first), closeServer(second)]);
});

test('outlives a connection that cannot be accepted', async () => {
  const server = createServer();
  const errors: Error[] = [];
  await listen(server, { port: 0, host }, (error) => errors.push(error));
  server.emit('error', new Error('EMFILE'));
  expect(errors).toHaveLength(1);
  await closeServer(server);
});

test('gives answers a moment to leave, and cuts those that take longer', async () => {
  const server = createServer((request, response) => {
    response.writeHead(200).flushHeaders();
    if (request.url === '/soon') setImmediate(() => response.end('done'));
  });
  const address = await listen(server, { port: 0, host }, ignore);
  const late = await fetch(urlAt(address, '/never'));
  const soon = await fetch(urlAt(address, '/soon'));
  await closeServer(server, 50);
  expect(await soon.text()).toBe('done');
  await expect(late.text()).rejects.toThrow();
});

test('writes an IPv6 address as URLs have it', () => {
  expect(urlAt({ address: '::1', family: 'IPv6', port: 80 }, '/mcp')).toBe('http://[::1]:80/mcp');
});
