import { expect, test } from 'vitest';
import { neutralize } from './neutralize.ts';

test('ordinary Markdown stays as it is', () => {
  const text =
    '# h\n\n- **a** <br> `<%`\n\n| a | b |\n|---|---|\n\n```json\n{"a": "%%"}\n```\n\n$$\nx\n$$\n\n1 < 2';
  expect(neutralize(text)).toBe(text.replace('<%', '&lt;%'));
});

test('fences that some program may run become text', () => {
  expect(
    neutralize('```weather timeout=5s\ntool: a\n```\n- ~~~dataviewjs\n  x\n  ~~~\n```js run\n```'),
  ).toBe('```text\ntool: a\n```\n- ~~~text\n  x\n  ~~~\n```text\n```');
});

test('HTML blocks, comments and Templater commands are shown instead of obeyed', () => {
  expect(
    neutralize('<script>\n<%* x %>\n\n%% a %%%\n<!-- /mcp-result -->\nb <!-- mcp-result -->'),
  ).toBe(
    '&lt;script>\n&lt;%* x %>\n\n%\\% a %\\%\\%\n&lt;!-- /mcp-result -->\nb &lt;!-- mcp-result -->',
  );
});

test('HTML inside a fence stays code', () => {
  expect(neutralize('```html\n<div>\n</div>\n```\n<div>')).toBe(
    '```html\n<div>\n</div>\n```\n&lt;div>',
  );
});

test('a fence that was left open is closed', () => {
  expect(neutralize('~~~~js\nx')).toBe('~~~~js\nx\n~~~~');
  expect(neutralize('> ```js\n> x')).toBe('> ```js\n> x');
});

test('a formula that was left open is none', () => {
  expect(neutralize('$$\nx')).toBe('\\$\\$\nx');
});

test('tabs that carry structure become spaces', () => {
  expect(neutralize('-\tx\n\ty\tz\n> \tq')).toBe('-   x\n    y\tz\n>   q');
});
