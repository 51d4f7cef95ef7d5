import { expect, test } from 'vitest';
import { isTypo } from './is-typo.ts';

test.each([
  ['mcp', 'mcp', true],
  ['mcp', 'MCP', true],
  ['mcp', 'mp', true],
  ['mcp', 'mccp', true],
  ['mcp', 'mxp', true],
  ['mcp', 'mpc', true],
  ['mcp', 'cpm', false],
  ['mcp', 'm', false],
  ['aa', 'aaa', true],
  ['', 'a', true],
  ['', 'ab', false],
  ['abcd', 'badc', false],
])('%s and %s: %s', (one, other, is) => {
  expect(isTypo(one, other)).toBe(is);
  expect(isTypo(other, one)).toBe(is);
});
