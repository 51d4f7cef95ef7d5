import type { AITool } from '@errand/host';
import { expect, test } from 'vitest';
import { nameTools } from './name-tools.ts';

const tool = (serverName: string, toolName: string): AITool => ({
  serverId: serverName,
  serverName,
  toolName,
  description: '',
  inputSchema: {},
});

const names = (...tools: readonly AITool[]) => nameTools(tools).map(({ name }) => name);

test('a tool is named after its server and itself', () => {
  expect(names(tool('vault', 'read_note'), tool('web-2', 'get-page'))).toEqual([
    'vault__read_note',
    'web-2__get-page',
  ]);
});

test('replaces characters that a provider would refuse, and begins names with a letter', () => {
  expect(names(tool('9front', 'a.b/c d é'))).toEqual(['_9front__a_b_c_d__']);
});

test('ends names that collide or are too long in a hash', () => {
  const long = 'x'.repeat(100);
  const all = names(
    tool('a', 'b.c'),
    tool('a', 'b/c'),
    tool('a', `${long}1`),
    tool('a', `${long}2`),
  );
  expect(new Set(all).size).toBe(4);
  for (const name of all) expect(name).toMatch(/^a__.{1,52}_[0-9a-f]{8}$/);
});

test('a name does not depend on the other tools of the round, unless they collide', () => {
  const long = tool('a', 'x'.repeat(100));
  expect(names(long)).toEqual(names(tool('b', 'c'), long).slice(1));
});

test('a tool cannot take the name that another gets by shortening', () => {
  const long = tool('a', 'x'.repeat(100));
  const [short = ''] = names(long);
  const twin = tool('a', short.slice('a__'.length));
  expect(new Set(names(long, twin)).size).toBe(2);
  expect(new Set(names(twin, long)).size).toBe(2);
});
