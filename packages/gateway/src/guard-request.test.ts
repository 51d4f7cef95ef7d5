import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { type Guarded, guardRequest } from './guard-request.ts';

test.each([
  ['localhost:3000', undefined, undefined],
  ['127.0.0.1:3000', 'http://127.0.0.1:3000', undefined],
  ['[::1]:3000', 'http://[::1]:3000', undefined],
  ['LOCALHOST', 'http://localhost:8080', undefined],
  ['evil.example.com', undefined, 403],
  ['localhost.example.com', undefined, 403],
  ['127.0.0.1.example.com:80', undefined, 403],
  ['localhost', 'http://evil.example.com', 403],
  ['localhost', 'null', 403],
  ['localhost', 'file://', 403],
  ['', undefined, 403],
])('host %s with origin %s: %s', (host, origin, status) => {
  const request = arriving('127.0.0.1', { host, ...(origin !== undefined && { origin }) });
  expect(statusOf(guardRequest({})(request))).toBe(status);
});

test.each([
  ['127.0.0.1', undefined],
  ['127.8.9.1', undefined],
  ['::1', undefined],
  ['::ffff:127.0.0.1', undefined],
  [undefined, undefined],
  ['192.168.1.7', 403],
  ['::ffff:10.0.0.1', 403],
  ['2001:db8::1', 403],
])('answers a client at %s without a token: %s', (address, status) => {
  expect(statusOf(guardRequest({})(arriving(address, { host: 'localhost' })))).toBe(status);
});

test('a client elsewhere with the token comes in under any name of this machine', () => {
  const guard = guardRequest({ token: 'secret' });
  const headers = { host: 'desk.local:80', authorization: 'Bearer secret' };
  expect(statusOf(guard(arriving('192.168.1.7', headers)))).toBeUndefined();
  const lowerCase = { ...headers, authorization: 'bearer secret' };
  expect(statusOf(guard(arriving('192.168.1.7', lowerCase)))).toBeUndefined();
  const page = { ...headers, origin: 'http://desk.local:80' };
  expect(statusOf(guard(arriving('192.168.1.7', page)))).toBeUndefined();
  const foreign = { ...headers, origin: 'http://evil.example.com' };
  expect(statusOf(guard(arriving('192.168.1.7', foreign)))).toBe(403);
  for (const authorization of ['', 'secret', 'Basic secret', 'Bearer secret2', 'Bearer ']) {
    expect(statusOf(guard(arriving('192.168.1.7', { ...headers, authorization })))).toBe(401);
  }
});

test('the token does not let in what comes to this machine under a foreign name', () => {
  const guard = guardRequest({ token: 'secret' });
  const authorization = 'Bearer secret';
  const from = (host: string) => statusOf(guard(arriving('127.0.0.1', { host, authorization })));
  expect(from('localhost:3000')).toBeUndefined();
  expect(from('evil.example.com')).toBe(403);
});

function statusOf(guarded: Guarded | Promise<Guarded>): number | undefined {
  return 'status' in guarded ? guarded.status : undefined;
}

function arriving(remoteAddress: string | undefined, headers: Record<string, string>) {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: remoteAddress });
  const request = new IncomingMessage(socket);
  Object.assign(request.headers, headers);
  return request;
}
