import { expect, test } from 'vitest';
import { containedLines } from './contained-lines.ts';
import { scan } from './scan.ts';

function fences(text: string) {
  return scan(text).fences.map(({ line, endLine, info }) => [line, endLine, info]);
}

function headings(text: string) {
  return scan(text).headings.map(({ line, level, text: title }) => [line, level, title]);
}

function visible(text: string) {
  return scan(text)
    .fences.filter(({ within }) => within === null)
    .map(({ line }) => line);
}

test('does not take frontmatter for a heading, also after a byte order mark', () => {
  for (const start of ['', '\uFEFF']) {
    const note = `${start}---\ntitle: x\n# a comment\n---\n# Real\n`;
    expect(headings(note)).toEqual([[5, 1, 'Real']]);
    const { frontmatter } = scan(note);
    expect(frontmatter).toMatchObject({ line: 1, endLine: 4 });
    expect(note.slice(frontmatter?.bodyFrom, frontmatter?.bodyTo)).toBe('title: x\n# a comment\n');
  }
});

test.each([
  ['not at the start', '\n---\na: b\n---\n'],
  ['not closed', '---\na: b\n'],
  ['more than three dashes', '----\na: b\n----\n'],
  ['text after the dashes', '--- x\na: b\n---\n'],
])('frontmatter is none when it is %s', (_why, note) => {
  expect(scan(note).frontmatter).toBeNull();
});

test('frontmatter ends at the first line of three dashes, with CR and CRLF too', () => {
  for (const lineEnd of ['\r', '\r\n']) {
    const note = ['---', 'a: b', '---  ', '# h', '---', ''].join(lineEnd);
    expect(scan(note).frontmatter).toMatchObject({ line: 1, endLine: 3 });
    expect(headings(note)).toEqual([[4, 1, 'h']]);
  }
  expect(scan('---\n---').frontmatter).toMatchObject({ bodyFrom: 4, bodyTo: 4, endLine: 2 });
});

test('fences are found in lists, quotes and callouts, nested and with tabs', () => {
  const note = [
    '- ```a',
    '  x',
    '  ```',
    '> ```b',
    '> x',
    '> ```',
    '> [!note] title',
    '> - 1. ```c',
    '>      ```',
    '-\ty',
    '',
    '\t```d',
    '\t```',
    '  - z',
    '    ~~~~e',
    '    ```',
    '    ~~~~',
  ].join('\n');
  expect(fences(note)).toEqual([
    [1, 3, 'a'],
    [4, 6, 'b'],
    [8, 9, 'c'],
    [12, 13, 'd'],
    [15, 17, 'e'],
  ]);
});

test('reports the container of a fence', () => {
  const [fence] = scan('> - ```a\n>   ```').fences;
  expect(fence?.container).toMatchObject({
    kind: 'item',
    columns: 2,
    parent: { kind: 'quote', parent: null },
  });
});

test('an unclosed fence ends with its container', () => {
  expect(fences('> ```a\nb\n')).toEqual([[1, 1, 'a']]);
  expect(fences('- ```a\n  b\n\nc')).toEqual([[1, 3, 'a']]);
  expect(fences('```a\nb')).toEqual([[1, 2, 'a']]);
  expect(scan('```a\nb').fences[0]?.isClosed).toBe(false);
});

test('ignores lines that only look like a fence', () => {
  expect(fences('    ```a\n')).toEqual([]);
  expect(fences('``` a`b\n')).toEqual([]);
  expect(fences('<div>\n```a\n</div>\n')).toEqual([]);
  expect(fences('<!--\n```a\n```\n-->\n')).toEqual([]);
  expect(fences('````\n```a\n```\n````\n')).toHaveLength(1);
});

test('a closing fence may be longer but has no text after it', () => {
  expect(fences('```a\n``` b\n`````  \nc')).toEqual([[1, 3, 'a']]);
});

test('a heading has its text without marks, closing marks and block id', () => {
  expect(headings('# a #\n## b ##x\n### c ^id\n#\n#### ####\nd\n e\n===\n')).toEqual([
    [1, 1, 'a'],
    [2, 2, 'b ##x'],
    [3, 3, 'c'],
    [4, 1, ''],
    [5, 4, ''],
    [6, 1, 'd\ne'],
  ]);
});

test('a block in an Obsidian comment is text, also when the comment is never closed', () => {
  expect(visible('%%\n```a\n```\n%%\n```b\n```\n')).toEqual([5]);
  expect(visible('%% x %%\n```a\n```\n')).toEqual([2]);
  expect(visible('%%\n```a\n```\n')).toEqual([]);
  expect(visible('> %%\n> ```a\n> ```\n%%')).toEqual([]);
  expect(visible('- %%\n  ```a\n  ```\n  %%\n  ```b\n  ```\n')).toEqual([5]);
});

test('a percent sign in text or code hides nothing', () => {
  expect(visible('100 %% sure\n```a\n```\n')).toEqual([2]);
  expect(visible('```printf\n%%\n```\n```a\n```\n')).toEqual([1, 4]);
  expect(visible('    %%\n\n```a\n```\n')).toEqual([3]);
});

test('a block in a formula is text if the formula has an end', () => {
  expect(visible('$$\n```a\n```\n$$\n```b\n```\n')).toEqual([5]);
  expect(visible('$$\n```a\n```\n')).toEqual([2]);
  expect(visible('$$\n```a\n$$\n```\n')).toEqual([2]);
  expect(scan('$$ x $$\n').math).toEqual([{ from: 0, to: 7, line: 1, endLine: 1 }]);
});

test('comments are listed with their lines', () => {
  const note = 'a\n%% b\nc %%\n\n<!-- d\ne -->\n';
  expect(scan(note).comments.map(({ kind, line, endLine }) => [kind, line, endLine])).toEqual([
    ['obsidian', 2, 3],
    ['html', 5, 6],
  ]);
});

test('a block id names the block it ends, or, alone, the block before it', () => {
  const ids = (text: string) =>
    scan(text).blockIds.map(({ id, names, line, blockLine }) => [id, names, line, blockLine]);
  expect(ids('text ^a\n')).toEqual([['a', 'block', 1, 1]]);
  expect(ids('one\ntwo ^a\n')).toEqual([['a', 'block', 2, 1]]);
  expect(ids('```x\n```\n^a\n')).toEqual([['a', 'block-before', 3, 1]]);
  expect(ids('- x\n- y\n\n^a\n')).toEqual([['a', 'block-before', 4, 1]]);
  expect(ids('- x ^a\n  ```b\n  ```\n  ^c')).toEqual([
    ['a', 'item', 1, 1],
    ['c', 'block-before', 4, 2],
  ]);
  expect(ids('> q\n\n^a')).toEqual([['a', 'block-before', 3, 1]]);
  expect(ids('## h ^a')).toEqual([['a', 'heading', 1, 1]]);
  expect(ids('^a')).toEqual([['a', 'block-before', 1, 0]]);
});

test('ignores text that only looks like a block id', () => {
  for (const text of [
    '2^10',
    'a ^b c',
    'a ^',
    'a^b',
    '```\nx ^a\n```',
    '    x ^a',
    'x ^a\ny',
    '^ä',
  ]) {
    expect(scan(text).blockIds).toEqual([]);
  }
});

test('reads lines that end in CR alone or hold NUL and lone surrogates', () => {
  expect(fences('a\r```b\r\0\ud800\r```\r# h')).toEqual([[2, 4, 'b']]);
  expect(headings('a\r\r# \0h\ud800\r')).toEqual([[3, 1, '\0h\ud800']]);
});

test('finds nothing in an empty note', () => {
  expect(scan('')).toMatchObject({ lineCount: 0, headings: [], fences: [], frontmatter: null });
});

test('the lines of a fence come without the prefix of its container', () => {
  const lines = (text: string) => {
    const [fence] = scan(text).fences;
    return (
      fence &&
      containedLines(text, text.indexOf('\n') + 1, text.length, fence.container, fence.indent)
    );
  };
  expect(lines('> - ```\n>   a\n>\n>     b\n>   ```')).toEqual(['a', '', '  b', '```']);
  expect(lines('- ```\n\ta\n  \tb')).toEqual(['  a', '\tb']);
  expect(lines('   ```\n   a\n b\n     c')).toEqual(['a', 'b', '  c']);
  expect(lines('- ```\n     \n  x')).toEqual(['   ', 'x']);
});
