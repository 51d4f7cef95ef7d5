import { expect, test } from 'vitest';
import { appendToBody, patchBody } from './note-body.ts';

test.each([
  ['an empty note', '', 'x', 'x\n'],
  ['a note that ends in a line', 'a\n', 'x\n', 'a\nx\n'],
  ['a note that ends within a line', 'a', 'x', 'a\nx\n'],
  ['a note with carriage returns', 'a\r\nb', 'x\ny', 'a\r\nb\r\nx\r\ny\r\n'],
  ['a note that is only frontmatter', '---\na: 1\n---\n', 'x', '---\na: 1\n---\nx\n'],
  ['a note with a broken frontmatter', '---\na: [\n---\nb', 'x', '---\na: [\n---\nb\nx\n'],
])('appends to %s', (_, text, added, expected) => {
  expect(appendToBody(text, added)).toBe(expected);
});

const sections = '# A\na\n\n## A1\na1\n\n\n# B\nb\n';

test.each([
  ['A', '# A\na\n\n## A1\na1\nx\n\n\n# B\nb\n'],
  ['## A1', '# A\na\n\n## A1\na1\nx\n\n\n# B\nb\n'],
  ['B', '# A\na\n\n## A1\na1\n\n\n# B\nb\nx\n'],
])('appends to the section %s, before the empty lines that end it', (heading, expected) => {
  expect(appendToBody(sections, 'x', heading)).toBe(expected);
});

test('names the headings there are when one is missing or unclear', () => {
  expect(() => appendToBody(sections, 'x', 'C')).toThrow(
    expect.objectContaining({ code: 'not_found', message: expect.stringContaining('"A1"') }),
  );
  expect(() => appendToBody('# A\n\n# A\n', 'x', 'A')).toThrow(
    expect.objectContaining({ code: 'invalid_input', message: expect.stringContaining('1, 3') }),
  );
  expect(() => appendToBody('```\n# A\n```\n', 'x', 'A')).toThrow(
    expect.objectContaining({ code: 'not_found' }),
  );
});

test('exchanges the one piece that was meant', () => {
  expect(patchBody('n.md', 'one two three', 'two', '2')).toBe('one 2 three');
  expect(patchBody('n.md', 'a\r\nb\r\nc', 'a\nb', 'x\ny')).toBe('x\r\ny\r\nc');
  expect(patchBody('n.md', 'x', 'x', '---\na: 1\n---\n')).toBe('---\n---\n---\na: 1\n---\n');
});

test.each([
  ['aaa', 'aa', 2, 'surrounds'],
  ['one two', 'three', 0, 'copy the text exactly'],
  ['---\nkey: value\n---\nbody', 'value', 0, 'update_frontmatter'],
])('refuses in %j the old text %j', (text, wanted, occurrences, hint) => {
  expect(() => patchBody('n.md', text, wanted, 'x')).toThrow(
    expect.objectContaining({
      code: 'invalid_input',
      message: expect.stringContaining(hint),
      details: { path: 'n.md', occurrences },
    }),
  );
});
