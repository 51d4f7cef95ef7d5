import { expect, test } from 'vitest';
import { compilePattern } from './safe-pattern.ts';

function matches(source: string, text: string): boolean | undefined | string {
  const pattern = compilePattern(source);
  return pattern.kind === 'pattern' ? pattern.matches(text) : pattern.message;
}

const texts = [
  '',
  'a',
  'ab',
  'aab',
  'abc',
  'abcabc',
  'ABC',
  '012-search',
  'foo bar',
  'foo\nbar',
  'é',
  '😀x',
  'a.b',
  'x-y_z',
  '((',
  ']',
];
const sources = [
  '',
  'a',
  '^a$',
  'a*',
  '^a*$',
  '^a+b?$',
  '^(ab|abc)+$',
  '(?:a|b)*c$',
  '^[0-9]{3}-',
  '^\\d{1,3}-\\w+$',
  '^[^a-z]+$',
  'foo.bar',
  'foo\\sbar',
  '\\bbar\\b',
  'o\\Bo',
  '^.$',
  '^..$',
  '\\p{L}',
  '\\u{1F600}',
  '\\uD83D\\uDE00',
  '\\x61',
  'a\\.b',
  '[\\]]',
  '[-_]',
  '^(?<name>a)(?:b)?',
  '^(a*)*$',
  '(a|)+b',
  '^(?:a{0,2}){0,2}b$',
  '\\(\\(',
  'a{2}',
  'a{2,}b',
  'a??b',
  '^$',
  '|x',
  '(|a)(b|)',
];

test.each(sources)('%j fits what RegExp says', (source) => {
  const native = new RegExp(source, 'u');
  for (const text of texts)
    expect([text, matches(source, text)]).toEqual([text, native.test(text)]);
});

test('ignores case after (?i)', () => {
  expect(matches('(?i)^abc$', 'ABC')).toBe(true);
  expect(matches('^abc$', 'ABC')).toBe(false);
});

test.each([
  ['(', 'no regular expression'],
  ['[', 'no regular expression'],
  ['a**', 'no regular expression'],
  ['(?=a)', 'look around'],
  ['(?<!a)b', 'look around'],
  ['(?-i:a)', 'look around'],
  ['(a)\\1', 'refer back'],
  ['(?<x>a)\\k<x>', 'refer back'],
  ['(a{1000}){1000}', 'repeats too much'],
  ['(?:){999999999}', 'repeats too much'],
  ['a{1000000000}', 'repeats too much'],
  ['a'.repeat(1001), 'at most 1000 characters'],
])('says that it cannot use %.30j', (source, message) => {
  expect(matches(source, '')).toContain(message);
});

test.each(['^(a+)+$', '^(a|a)*$', '^(.*a){12}$', '(x+x+)+y', '^(([a-z])+.)+[A-Z]([a-z])+$'])(
  '%s does not backtrack without end',
  (source) => {
    const started = performance.now();
    expect(matches(source, `${'a'.repeat(5_000)}!`)).toBe(false);
    expect(matches(source, `${'x'.repeat(5_000)}!`)).toBe(false);
    expect(performance.now() - started).toBeLessThan(2_000);
  },
);

test('gives up on a text that would take too long', () => {
  const started = performance.now();
  expect(matches('(?:a?){500}b', 'a'.repeat(1_000_000))).toBeUndefined();
  expect(performance.now() - started).toBeLessThan(5_000);
});
