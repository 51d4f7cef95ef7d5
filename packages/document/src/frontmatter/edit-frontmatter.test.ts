import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editFrontmatter } from './edit-frontmatter.ts';
import { readParts } from './read-parts.ts';

const contentOf = (text: string) => {
  const { split, parsed } = readParts(text);
  return {
    frontmatter: parsed?.status === 'ok' ? parsed.values : {},
    body: text.slice(split.bodyStart),
  };
};

const note = `---
# About this note
title: "Quoted: title"   # why it is quoted
zip: 00123
version: 1.10
date: 2026-01-05
when: 2026-01-05T10:00:00Z

tags: [a,   b]
aliases:
    - one   # first
    - 'two'
# before the text
text: |
  line one
    # not a comment

  line three
folded: >-
  a
  b
empty:
last: end
---
Body with --- and
---
more
`;

test('changes one value and no other byte', () => {
  const edited = editFrontmatter(note, { set: { version: '2.0' }, remove: [] });
  expect(edited).toBe(note.replace('version: 1.10', 'version: "2.0"'));
});

test('keeps the comment behind a changed value', () => {
  const edited = editFrontmatter(note, { set: { title: 'Plain' }, remove: [] });
  expect(edited).toBe(note.replace('"Quoted: title"', 'Plain'));
});

test('keeps the comment when the new value has several lines', () => {
  const edited = editFrontmatter(note, { set: { title: 'one\ntwo\n' }, remove: [] });
  expect(edited).toBe(note.replace('"Quoted: title"', '"one\\ntwo\\n"'));
});

test('does not write equal values', () => {
  const { frontmatter } = contentOf(note);
  expect(editFrontmatter(note, { set: frontmatter, remove: ['absent'] })).toBe(note);
});

test.each([
  ['empty', 'full', 'empty:', 'empty: full'],
  ['last', 5, 'last: end', 'last: 5'],
  ['tags', 'x', 'tags: [a,   b]', 'tags: x'],
  ['aliases', ['three'], "aliases:\n    - one   # first\n    - 'two'", 'aliases:\n  - three'],
  ['text', 'short', 'text: |\n  line one\n    # not a comment\n\n  line three', 'text: short'],
  ['folded', 'flat', 'folded: >-\n  a\n  b', 'folded: flat'],
])('replaces %s alone', (key, value, before, after) => {
  expect(editFrontmatter(note, { set: { [key]: value }, remove: [] })).toBe(
    note.replace(before, after),
  );
});

test.each([
  ['title', 'title: "Quoted: title"   # why it is quoted\n'],
  ['when', 'when: 2026-01-05T10:00:00Z\n'],
  ['aliases', "aliases:\n    - one   # first\n    - 'two'\n"],
  ['text', 'text: |\n  line one\n    # not a comment\n\n  line three\n'],
  ['empty', 'empty:\n'],
  ['last', 'last: end\n'],
])('removes %s alone', (key, lines) => {
  expect(editFrontmatter(note, { set: {}, remove: [key] })).toBe(note.replace(lines, ''));
});

test('adds new keys at the end', () => {
  expect(editFrontmatter(note, { set: { status: 'done', list: [1] }, remove: [] })).toBe(
    note.replace('last: end\n', 'last: end\nstatus: done\nlist:\n  - 1\n'),
  );
});

test('keeps carriage returns and the byte order mark', () => {
  const windows = `\ufeff${note.replaceAll('\n', '\r\n')}`;
  const edited = editFrontmatter(windows, { set: { zip: '1', more: ['a'] }, remove: ['folded'] });
  expect(edited).toBe(
    windows
      .replace('zip: 00123', 'zip: "1"')
      .replace('folded: >-\r\n  a\r\n  b\r\n', '')
      .replace('last: end\r\n', 'last: end\r\nmore:\r\n  - a\r\n'),
  );
});

test('keeps a mapping that is indented as a whole', () => {
  expect(editFrontmatter('---\n  a: 1\n  b: 2\n---\n', { set: { a: [1], c: 3 }, remove: [] })).toBe(
    '---\n  a:\n    - 1\n  b: 2\n  c: 3\n---\n',
  );
});

test('makes a frontmatter where there is none, and takes an emptied one away', () => {
  expect(editFrontmatter('Body\r\n', { set: { a: 1 }, remove: [] })).toBe(
    '---\r\na: 1\r\n---\r\nBody\r\n',
  );
  expect(editFrontmatter('---\na: 1\n---\nBody', { set: {}, remove: ['a'] })).toBe('Body');
  expect(editFrontmatter('---\n# why\na: 1\n---\nBody', { set: {}, remove: ['a'] })).toBe(
    '---\n# why\n---\nBody',
  );
});

test('does not let a body that begins like frontmatter become one', () => {
  const text = '---\na: 1\n---\n---\nb: 2\n---\n';
  expect(editFrontmatter(text, { set: {}, remove: ['a'] })).toBe('---\n---\n---\nb: 2\n---\n');
});

test.each([
  ['an anchor that another key needs', '---\na: &x 1\nb: *x\n---\n', 'a'],
  ['a mapping in braces', '---\n{a: 1, b: 2}\n---\n', 'a'],
  ['duplicate keys', '---\na: 1\na: 2\n---\n', 'a'],
])('refuses %s rather than guess', (_, text, key) => {
  expect(editFrontmatter(text, { set: { [key]: 9 }, remove: [] })).toBeUndefined();
});

test.each([
  ['a mapping', { b: { a: '\n' } }],
  ['a list', { b: ['x', 'line\n\n'] }],
  ['a list in a list', { b: [[1, ['line\n\n\n']]] }],
])('takes a key away whole whose last value, in %s, ends in empty lines', (_, set) => {
  const start = '---\na: []\n---\nBody\n';
  const edited = editFrontmatter(start, { set, remove: [] }) ?? '';
  expect(contentOf(edited).frontmatter).toEqual({ a: [], ...set });
  expect(editFrontmatter(edited, { set: {}, remove: ['b'] })).toBe(start);
});

test('never changes a byte outside the key, whatever the values are', () => {
  const key = fc.stringMatching(/^[a-z]{1,6}$/);
  const tricky = [
    '---',
    '00123',
    '1.10',
    'yes',
    '# no',
    'a: b',
    '- x',
    '|',
    'l\nl\n',
    'a\r\nb',
    ' p ',
  ];
  const scalar = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.constantFrom(...tricky),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
  );
  const value = fc
    .oneof(scalar, fc.array(scalar), fc.dictionary(key, fc.oneof(scalar, fc.array(scalar))))
    .map((made): unknown => JSON.parse(JSON.stringify(made)));
  fc.assert(
    fc.property(
      fc.array(fc.tuple(key, value), { maxLength: 4 }),
      key,
      value,
      fc.constantFrom('\n', '\r\n'),
      (pairs, changed, newValue, lineEnd) => {
        const others = Object.fromEntries(pairs.filter(([name]) => name !== changed));
        const start = editFrontmatter(`Body${lineEnd}`, { set: others, remove: [] }) ?? '';
        const edited = editFrontmatter(start, { set: { [changed]: newValue }, remove: [] }) ?? '';
        expect(contentOf(edited)).toEqual({
          frontmatter: { ...others, [changed]: newValue },
          body: `Body${lineEnd}`,
        });
        expect(editFrontmatter(edited, { set: {}, remove: [changed] })).toBe(start);
      },
    ),
    { seed: 1, numRuns: 400 },
  );
});
