import fc from 'fast-check';
import { expect, test } from 'vitest';
import { composeFrontmatter, composeNote } from './compose-note.ts';
import { noteContent } from './note-content.ts';

function replace(current: string, frontmatter: Record<string, unknown>, body: string): string {
  return composeNote('n.md', current, { frontmatter, body, keepOtherKeys: false });
}

test.each([
  ['a new note', '', { a: 1 }, 'Body', '---\na: 1\n---\nBody'],
  ['a note without frontmatter', '', {}, 'Body', 'Body'],
  [
    'equal keys as they were written',
    '---\na:   0x1 # c\nb: 2\n---\nOld',
    { a: '0x1' },
    'New',
    '---\na:   0x1 # c\n---\nNew',
  ],
  [
    'into a frontmatter of an empty line',
    '---\n\n---\nOld',
    { a: 1 },
    'New',
    '---\n\na: 1\n---\nNew',
  ],
  ['a frontmatter that is taken away', '---\na: 1\n---\nOld', {}, 'New', 'New'],
  ['a fence at the end of the file', '---\na: 1\n---', { a: 1 }, 'New', '---\na: 1\n---\nNew'],
  ['a broken frontmatter', '---\na: [\n---\nOld', { a: 1 }, 'New', '---\na: 1\n---\nNew'],
  [
    'a frontmatter in braces',
    '---\n{a: 1, b: 2}\n---\nOld',
    { a: 2 },
    'New',
    '---\na: 2\n---\nNew',
  ],
  ['a body like a frontmatter', 'Old', {}, '---\nx: 1\n---\n', '---\n---\n---\nx: 1\n---\n'],
  [
    'a rule that is no frontmatter',
    '---\njust text\n---\n',
    { a: 1 },
    'New',
    '---\na: 1\n---\nNew',
  ],
  ['carriage returns', 'x\r\ny', { a: [1] }, 'p\nq', '---\r\na:\r\n  - 1\r\n---\r\np\r\nq'],
  ['a body with a byte order mark', '', {}, '\ufeffBody', 'Body'],
  ['a body with carriage returns of its own', 'x\r\ny', {}, 'p\nq\r\n', 'p\nq\r\n'],
])('writes %s', (_, current, frontmatter, body, expected) => {
  expect(replace(current, frontmatter, body)).toBe(expected);
});

test('keeps keys that are not named when merging, and refuses a broken frontmatter', () => {
  const merged = (current: string) =>
    composeNote('n.md', current, { frontmatter: { b: 3 }, body: 'New', keepOtherKeys: true });
  expect(merged('---\na: 1 # one\nb: 2\n---\nOld')).toBe('---\na: 1 # one\nb: 3\n---\nNew');
  expect(() => merged('---\na: [\n---\nOld')).toThrow(
    expect.objectContaining({ code: 'parse_error', details: { path: 'n.md', line: 3 } }),
  );
});

test('says what to do when a key cannot be changed alone', () => {
  expect(() => composeFrontmatter('n.md', '---\n{a: 1}\n---\n', { a: 2 }, [])).toThrow(
    expect.objectContaining({ code: 'invalid_input' }),
  );
});

test('reads back what was written, whatever the values and the former text', () => {
  const piece = fc.constantFrom(
    '---',
    '--- ',
    '\n',
    '\r\n',
    'a: 1',
    '{',
    '# x',
    '\ufeff',
    'text',
    '...',
    '---js',
  );
  const text = fc.array(piece, { maxLength: 10 }).map((pieces) => pieces.join(''));
  const values = fc.dictionary(fc.stringMatching(/^[a-z ]{1,4}$/), text, { maxKeys: 3 });
  fc.assert(
    fc.property(text, values, text, (current, made, body) => {
      const frontmatter = { ...made };
      const written = noteContent('n.md', replace(current, frontmatter, body));
      expect(written.frontmatter).toEqual(frontmatter);
      const plain = (given: string) => given.replace(/^\ufeff+/, '').replaceAll('\r\n', '\n');
      expect(plain(written.body)).toBe(plain(body));
    }),
    { seed: 1, numRuns: 500 },
  );
});
