import { expect, test } from 'vitest';
import { mayBeRequest } from './may-be-request.ts';

test.each([
  ['```', true],
  ['> - ~~~we', true],
  ['1. ```w', true],
  ['```weather\ntool: f', true],
  ['> ```weather\n> un', true],
  ['```weather\n"a b": ', true],
  ['```weather\nsome words', false],
  ['```js\ncon', false],
  ['```weather\n```\nword', false],
  ['A line of prose: with a colon', false],
  ['word', false],
])('after %j: %j', (text, expected) => {
  const lines = text.split('\n');
  const cursor = { line: lines.length - 1, ch: lines.at(-1)?.length ?? 0 };
  const isLanguage = (word: string) => word === 'weather';
  expect(mayBeRequest((line) => lines[line] ?? '', cursor, isLanguage)).toBe(expected);
});
