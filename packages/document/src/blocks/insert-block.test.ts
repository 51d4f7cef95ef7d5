import { expect, test } from 'vitest';
import { applyEdits } from '../edits.ts';
import { scan } from '../scan/scan.ts';
import { insertBlock } from './insert-block.ts';

/** Inserts at the first `|`; the second one shows where the column 3 of the second line is. */
function insertAt(marked: string): string | null {
  const at = marked.indexOf('|');
  const text = marked.slice(0, at) + marked.slice(at + 1);
  const inserted = insertBlock(scan(text), at, ['```w', 'a: b', '```']);
  if (inserted === null) return null;
  const after = applyEdits(text, [inserted.edit]);
  const value = inserted.offsetOf(1, 3);
  return `${after.slice(0, value)}|${after.slice(value)}`;
}

const result = '```w\nx: 1\n```\n\n```mcp-result req=1 sum=2 type=text\nhi\n```\n';

test.each([
  ['an empty note', '|', '```w\na: |b\n```'],
  ['a blank line', 'x\n\n|\n\ny\n', 'x\n\n```w\na: |b\n```\n\ny\n'],
  ['text', 'on|e\ntwo\n\nend\n', 'one\ntwo\n\n```w\na: |b\n```\n\nend\n'],
  [
    'a table',
    '| a | b |\n| - | - |\n'.replace('|', '||'),
    '| a | b |\n| - | - |\n\n```w\na: |b\n```\n',
  ],
  ['a heading', '# H|\ntext\n', '# H\n\n```w\na: |b\n```\ntext\n'],
  ['a new item', '- x\n- |\n', '- x\n- ```w\n  a: |b\n  ```\n'],
  ['an item with text', '1. x|\n2. y\n', '1. x\n   ```w\n   a: |b\n   ```\n2. y\n'],
  ['a task', '- [ ] do|\n', '- [ ] do\n  ```w\n  a: |b\n  ```\n'],
  ['a line of an item', '- x\n\n  |\n- y\n', '- x\n\n  ```w\n  a: |b\n  ```\n- y\n'],
  ['a callout', '> [!tip] T\n> |\n', '> [!tip] T\n> ```w\n> a: |b\n> ```\n'],
  ['a bare quote mark', '> x\n>|\n', '> x\n> ```w\n> a: |b\n> ```\n'],
  ['a list in a quote', '> - x|\n> - y\n', '> - x\n>   ```w\n>   a: |b\n>   ```\n> - y\n'],
  ['white space', '    |\n', '```w\na: |b\n```\n'],
  ['the frontmatter', '---\na|: b\n---\nx\n', '---\na: b\n---\n\n```w\na: |b\n```\nx\n'],
  ['another block', '```js\n1|\n```\nx\n', '```js\n1\n```\n\n```w\na: |b\n```\nx\n'],
  ['a request', `${result.replace('x', '|x')}end`, `${result}\n\`\`\`w\na: |b\n\`\`\`\nend`],
  [
    'its block id',
    `\`\`\`w\n\`\`\`\n^i|d\n\n${result.slice(14)}`,
    `\`\`\`w\n\`\`\`\n^id\n\n${result.slice(14)}\n\`\`\`w\na: |b\n\`\`\`\n`,
  ],
  ['a comment', '%%\nx|\n%%\n', '%%\nx\n%%\n\n```w\na: |b\n```\n'],
  ['Windows line ends', 'x|\r\ny', 'x\r\ny\r\n\r\n```w\r\na: |b\r\n```'],
])('finds the place in %s', (_, before, after) => {
  expect(insertAt(before)).toBe(after);
});

test('does not write into a block without an end', () => {
  expect(insertAt('```js\n|1\n')).toBeNull();
});
