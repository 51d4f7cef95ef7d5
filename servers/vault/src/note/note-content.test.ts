import { expect, test } from 'vitest';
import { noteContent } from './note-content.ts';

const valuesOf = (yaml: string) => noteContent('n.md', `---\n${yaml}\n---\n`).frontmatter;

test.each([
  ['a: 5', 5],
  ['a: -1.5', -1.5],
  ['a: 00123', '00123'],
  ['a: 1.10', '1.10'],
  ['a: 1e3', '1e3'],
  ['a: 0x1F', '0x1F'],
  ['a: 12345678901234567890', '12345678901234567890'],
  ['a: .inf', '.inf'],
  ['a: true', true],
  ['a: yes', 'yes'],
  ['a: 2026-01-05', '2026-01-05'],
  ['a: 10:30', '10:30'],
  ['a:', null],
  ['a: [1, 02]', [1, '02']],
  ['a: {b: 1.0}', { b: '1.0' }],
  ['a: |\n  two\n  lines', 'two\nlines\n'],
  ['"a": "\\u00e9"', 'é'],
])('reads %j without losing a letter', (yaml, value) => {
  expect(valuesOf(yaml)).toEqual({ a: value });
});

test.each([
  ['duplicate keys', 'a: 1\na: 2', 3],
  ['an open list', 'ok: 1\nbad: [', 4],
  ['a tab as indentation', 'a:\n\tb: 1', 3],
  ['an alias without an anchor', 'a: *none', 2],
])('names the line of %s', (_, yaml, line) => {
  expect(() => valuesOf(yaml)).toThrow(
    expect.objectContaining({ code: 'parse_error', details: { path: 'n.md', line } }),
  );
});

test('does not expand aliases without end', () => {
  const bomb = ['a: &a [x, x, x, x, x, x, x, x, x]']
    .concat(
      [...'bcdefgh'].map((name, at) => `${name}: &${name} [${`*${'abcdefg'[at]}, `.repeat(9)}]`),
    )
    .join('\n');
  expect(() => valuesOf(bomb)).toThrow(expect.objectContaining({ code: 'parse_error' }));
});

test.each([
  ['---js\nprocess.exit()\n---\n'],
  ['--- # comment\na: 1\n---\n'],
  ['---\nnever closed\n'],
  [' ---\na: 1\n---\n'],
  ['---\n- a list\n---\n'],
  ['---\nonly text\n---\n'],
  ['----\na: 1\n----\n'],
  ['---\na: 1\n...\n'],
])('takes %j for text', (text) => {
  expect(noteContent('n.md', text)).toEqual({ frontmatter: {}, body: text });
});

test.each([
  ['\ufeff---\na: 1\n---\nBody'],
  ['---\r\na: 1\r\n---\r\nBody'],
  ['---  \na: 1\n---\t\nBody'],
])('takes the first lines of %j for frontmatter', (text) => {
  expect(noteContent('n.md', text)).toEqual({ frontmatter: { a: 1 }, body: 'Body' });
});
