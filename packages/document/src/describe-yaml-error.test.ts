import { expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { describeYamlError } from './describe-yaml-error.ts';

test.each([
  ['url: a: b', 'The value contains ": ". Put it in quotes.'],
  ['text: *bold* and more', 'A value that starts with * must be quoted.'],
  ['city: {{ blocks.trip.tags[0] }}', 'A template must be quoted: name: "{{ … }}"'],
  ['city: {{ blocks.trip }} today', 'A template must be quoted: name: "{{ … }}"'],
  ['a:\n  - {{ blocks.trip[0] }}', 'A template must be quoted: name: "{{ … }}"'],
  ['text: "open', 'A quote is not closed.'],
  ['tool: x\ncity', 'The line is missing a colon: name: value'],
  ['city\ntool: x', 'The line above is missing a colon: name: value'],
  ['tags: [a', 'Check the indentation, and close every [ and {.'],
  ['a: b\na: c', 'The name is used twice.'],
  ['a: b\n---\nc: d', 'A line of --- is not allowed here.'],
  ['a:\n\t- b', 'Indent with spaces, not with tabs.'],
  ['to: @ines', 'A value that starts with @, ` or % must be quoted.'],
  [
    'path: "C:\\quit"',
    'Unknown escape in double quotes. Use single quotes, or write \\\\ for a backslash.',
  ],
  ['a: "b" c', 'Put the value in quotes, or check the indentation.'],
])('says what is wrong with %j', (text, sentence) => {
  const [error] = parseDocument(text, { prettyErrors: false }).errors;
  expect(error && describeYamlError(error, text)).toBe(sentence);
});

test('keeps the message of the parser for rarer mistakes', () => {
  const text = 'a: &x *y';
  const [error] = parseDocument(text, { prettyErrors: false }).errors;
  expect(error && describeYamlError(error, text)).toBe(error?.message);
});
