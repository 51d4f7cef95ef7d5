import { expect, test } from 'vitest';
import { composed, fold } from './fold.ts';
import { GramReader, gramsOfWord } from './grams.ts';
import { matchNote } from './match-note.ts';
import { parseQuery } from './parse-query.ts';
import { maximumSnippet, snippetAround } from './snippet-around.ts';

test.each([
  ['one two', ['one', 'two']],
  ['  One\u3000TWO\n', ['one', 'two']],
  ['"one two" three', ['one two', 'three']],
  ['say:"a b"', ['say:', 'a b']],
  ['5" pipe', ['5', '"', 'pipe']],
  ['"unclosed phrase', ['"', 'unclosed', 'phrase']],
  ['"" " " x', ['x']],
  ['x X x', ['x']],
  ['日本 語', ['日本', '語']],
])('takes the query %j apart', (query, words) => {
  expect(parseQuery(query)).toEqual(words);
});

test.each(['', '   ', '""', '" "'])('refuses the empty query %j', (query) => {
  expect(() => parseQuery(query)).toThrow(expect.objectContaining({ code: 'invalid_input' }));
});

test.each([
  ['CAFÉ', 'café', true],
  ['café', 'CAFÉ', true],
  ['café', 'cafe', false],
  ['cafe\u0301', 'café', true],
  ['ΣΟΦΟΣ', 'σοφος', true],
  ['ΣΟΦΟΣΑ', 'σοφος', true],
  ['İstanbul', 'istanbul', true],
  ['straße', 'STRASSE', false],
  ['ẞ', 'ß', true],
  ['日本語', '本', true],
  ['𐐀', '𐐨', true],
])('finds in %j the word %j: %s', (text, word, expected) => {
  expect(fold(composed(text)).includes(fold(composed(word)))).toBe(expected);
});

test('keeps the length of every letter when folding', () => {
  for (let code = 0; code <= 0x10ffff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const letter = composed(String.fromCodePoint(code));
    if (fold(letter).length !== letter.length) expect.fail(`U+${code.toString(16)}`);
  }
});

test('matches in frontmatter values and body together, not in keys, comments or names', () => {
  const note =
    '---\n# remark\nkey: Value One\nlist: [alpha, {deep: beta}]\nnumber: 00123\n---\nBody text';
  const finds = (query: string) => matchNote('name.md', note, parseQuery(query)) !== undefined;
  expect(['value body', 'beta', '00123', '"value one"', 'alph', 'TEXT'].map(finds)).toEqual(
    Array(6).fill(true),
  );
  expect(
    ['key', 'remark', 'name', 'deep', '"one alpha"', 'value absent', '---'].map(finds),
  ).toEqual(Array(7).fill(false));
});

test('finds the letters of a broken frontmatter', () => {
  expect(matchNote('n.md', '---\nbad: [unclosed\n---\n', ['unclosed'])).toBeDefined();
});

test('ranks a title above a word, a word above a part of one, and many above one', () => {
  const score = (path: string, text: string) => matchNote(path, text, ['plan'])?.score ?? 0;
  const part = score('x.md', 'explanation of it');
  const word = score('x.md', 'a plan for it all');
  const words = score('x.md', 'plan, plan, plan');
  const title = score('Plan.md', 'a plan for it all');
  expect([title, words, word, part]).toEqual([title, words, word, part].sort((a, b) => b - a));
});

test('cuts a snippet of at most 200 characters around the place, on one line', () => {
  const text = `${'left '.repeat(100)}\n\n  needle\there  \r\n${'right '.repeat(100)}`;
  const snippet = snippetAround(text, text.indexOf('needle'), 6);
  expect(snippet.length).toBeLessThanOrEqual(maximumSnippet);
  expect(snippet).toMatch(/^….*left needle here right .*…$/);
  expect(snippetAround('short needle end', 6, 6)).toBe('short needle end');
  expect(snippetAround('x'.repeat(5000), 0, 5000)).toHaveLength(maximumSnippet - 1);
  expect(snippetAround('😀'.repeat(300), 201, 2).isWellFormed()).toBe(true);
});

test('gives every part of a text grams that the text has, too', () => {
  const text = 'Größe, 日本語 😀 and "quotes"';
  const has = new Set(new GramReader().read([text]).trim().split(' '));
  for (let from = 0; from < text.length; from++) {
    for (let to = from + 1; to <= text.length; to++) {
      const missing = gramsOfWord(text.slice(from, to)).filter((gram) => !has.has(gram));
      expect(missing).toEqual([]);
    }
  }
});
