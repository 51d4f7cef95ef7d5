import { expect, test } from 'vitest';
import {
  bearerToken,
  hostnameOf,
  isAllowedOrigin,
  isLoopback,
  tokenCheck,
} from './check-access.ts';

test.each([
  ['localhost:3000', 'localhost'],
  ['LOCALHOST', 'localhost'],
  ['[::1]:3000', '[::1]'],
  ['127.0.0.1.example.com:80', '127.0.0.1.example.com'],
  ['localhost:80@evil.example', ''],
  ['evil.example/localhost', ''],
  ['localhost:', ''],
  ['localhost evil.example', ''],
  ['::1', ''],
  ['', ''],
  [undefined, ''],
])('reads the Host header %j as the name %j', (header, name) => {
  expect(hostnameOf(header)).toBe(name);
});

test.each([
  ['127.0.0.1', true],
  ['127.8.9.1', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  [undefined, true],
  ['127.evil.example', false],
  ['192.168.1.7', false],
  ['::ffff:10.0.0.1', false],
  ['0.0.0.0', false],
])('says whether %j is an address of this machine: %j', (address, isOwn) => {
  expect(isLoopback(address)).toBe(isOwn);
});

test.each([
  [undefined, true],
  ['http://localhost:8080', true],
  ['http://LOCALHOST', true],
  ['http://localhost.evil.example', false],
  ['http://evil.example?localhost', false],
  ['null', false],
  ['file://', false],
  ['', false],
])('says whether a page of %j may ask: %j', (origin, isAllowed) => {
  expect(isAllowedOrigin(origin, (name) => name === 'localhost')).toBe(isAllowed);
});

test.each([
  ['Bearer secret', true],
  ['bearer   secret ', true],
  ['Bearer secret2', false],
  ['Bearer secre', false],
  ['Bearer ', false],
  ['Basic secret', false],
  ['secret', false],
  ['', false],
  [undefined, false],
])('says whether %j presents the token: %j', (authorization, isToken) => {
  expect(tokenCheck('secret')(bearerToken(authorization))).toBe(isToken);
});
