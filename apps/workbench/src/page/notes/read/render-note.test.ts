import { expect, test } from 'vitest';
import type { Result } from '../../../contract.ts';
import { maskLines } from './mask-lines.ts';
import { propertiesOf } from './properties-of.ts';
import { renderNote } from './render-note.ts';

test('frontmatter and results are not text, and all lines keep their numbers', () => {
  const text =
    '---\ntags: [a]\n---\n# N\n\n```s\ntool: t\n```\n\n```mcp-result\n# no heading\n```\nend';
  const { text: masked, frontmatter } = maskLines(text, [{ line: 6, result: result(10, 12) }]);
  expect(frontmatter).toEqual(['tags: [a]']);
  expect(masked.split('\n')).toEqual([
    ...['', '', '', '# N', '', '```s', 'tool: t', '```', '', '', '', '', 'end'],
  ]);
});

test('a quote goes on below a result that stands in it, and ends where the result was a callout', () => {
  const quoted = '> - ```s\n>   tool: t\n>   ```\n>\n>   ```mcp-result\n>   x\n>   ```\n> still';
  const inside = maskLines(quoted, [{ line: 1, result: result(5, 7) }]);
  expect(renderNote(inside.text, [{ key: 'k', line: 1 }], mark)).toMatchObject([
    { kind: 'prose', html: expect.stringMatching(/<blockquote>[\s\S]*still[\s\S]*<\/blockquote>/) },
  ]);
  const callout =
    '```s\ntool: t\n```\n\n> [!mcp]- s: t <!-- mcp-result -->\n> # x\n<!-- /mcp-result -->\nend';
  const below = maskLines(callout, [{ line: 1, result: result(5, 7) }]);
  expect(renderNote(below.text, [{ key: 'k', line: 1 }], mark)).toEqual([
    { kind: 'block', line: 1, key: 'k' },
    { kind: 'prose', line: 8, html: '<p>end</p>\n' },
  ]);
});

test('blocks stand alone at the top, are marked inside of others, and never get lost', () => {
  const text = 'a\n\n```s\ntool: t\n```\n\n- b\n  ```s\n  tool: t\n  ```\n\n```js\ncode\n```\n';
  const blocks = [
    { key: 'top', line: 3 },
    { key: 'inside', line: 8 },
    { key: 'nowhere', line: 99 },
  ];
  expect(renderNote(text, blocks, mark)).toEqual([
    { kind: 'prose', line: 1, html: '<p>a</p>\n' },
    { kind: 'block', line: 3, key: 'top' },
    {
      kind: 'prose',
      line: 7,
      html: '<ul>\n<li>b<div title="mark inside"></div>\n</li>\n</ul>\n',
    },
    { kind: 'prose', line: 12, html: '<pre><code class="language-js">code\n</code></pre>\n' },
    { kind: 'block', line: 99, key: 'nowhere' },
  ]);
});

test('HTML that holds what follows is one piece with the blocks in it', () => {
  const text = '<details>\n<summary>s</summary>\n\n```s\ntool: t\n```\n\n</details>\n';
  const [part, ...others] = renderNote(text, [{ key: 'k', line: 4 }], mark);
  expect(others).toEqual([]);
  expect(part).toMatchObject({
    html: expect.stringMatching(/^<details>[\s\S]*mark k[\s\S]*<\/details>/),
  });
});

test('reads names and values of properties as they are written', () => {
  expect(propertiesOf(['tags: [a, b]', 'mcp:', '  server: x', '# no', 'due: 2026-01-01'])).toEqual([
    { name: 'tags', value: '[a, b]' },
    { name: 'mcp', value: '  server: x\n# no' },
    { name: 'due', value: '2026-01-01' },
  ]);
});

function mark(key: string): string {
  return `mark ${key}`;
}

function result(line: number, endLine: number): Result {
  return {
    status: 'success',
    type: 'text',
    form: 'fence',
    code: null,
    line,
    endLine,
    payload: '',
    isEdited: false,
  };
}
