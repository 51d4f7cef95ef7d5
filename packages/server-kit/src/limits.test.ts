import { expect, test } from 'vitest';
import { readLimits } from './limits.ts';

test('reads the three limits that people set', () => {
  const env = { MCP_MAX_CLIENTS: '7', MCP_CLIENT_TIMEOUT: '1000', MCP_MEMORY_LIMIT: '256M' };
  expect(readLimits(env)).toMatchObject({
    maxClients: 7,
    clientTimeout: 1_000,
    memoryLimit: 256 * 1024 * 1024,
  });
});

test.each([
  ['536870912', 536_870_912],
  ['64k', 65_536],
  ['1 GiB', 1_073_741_824],
  ['2mb', 2_097_152],
])('reads the size %s', (text, bytes) => {
  expect(readLimits({ MCP_MEMORY_LIMIT: text }).memoryLimit).toBe(bytes);
});

test('has 100 clients, five minutes and 512 MiB when nothing is set', () => {
  expect(readLimits({ MCP_MAX_CLIENTS: '' })).toMatchObject({
    maxClients: 100,
    clientTimeout: 300_000,
    memoryLimit: 536_870_912,
  });
});

test.each([
  [{ MCP_MAX_CLIENTS: 'many' }, 'MCP_MAX_CLIENTS is "many". Set it to a number of clients'],
  [{ MCP_MAX_CLIENTS: '0' }, 'MCP_MAX_CLIENTS is "0"'],
  [{ MCP_CLIENT_TIMEOUT: '5min' }, 'Set it to milliseconds such as 300000'],
  [{ MCP_MEMORY_LIMIT: '-1' }, 'Set it to a size such as 512M'],
])('refuses %j and says what to write', (env, message) => {
  expect(() => readLimits(env)).toThrow(message);
});
