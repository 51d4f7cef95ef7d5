import { expect, test } from 'vitest';
import { scan } from './scan.ts';

// Anything that grows with the square of its input would take minutes for these.
const size = 500_000;
const of = (text: string) => text.repeat(size / text.length);

test.each<[string, string]>([
  ['10 MB on one line', 'x'.repeat(10_000_000)],
  ['one line of brackets, underlined', `${of('[')}\n===`],
  ['quotes in quotes', of('> ')],
  ['quotes in quotes, twice', `${of('>')}\n${of('>')}x\ny`],
  ['lists in lists', `${of('- ')}x`],
  ['lists in lists, then blank lines', `${of('- ')}x\n${of('\n')}y`],
  ['lists in a quote, then blank quote lines', `> ${of('- ')}x\n${of('>\n')}y`],
  [
    'lists in lists, then deep lines',
    `${'- '.repeat(size / 8)}x\n${`${' '.repeat(size / 4)}y\n`.repeat(4)}`,
  ],
  ['lists of changing markers', of('- * + ')],
  ['items', of('- x\n')],
  ['items with fences', of('- ```\n  a\n  ```\n')],
  ['blank lines', of('\n')],
  ['lines that end in CR', of('x\r')],
  ['link references and underlines', of('[a]: /x\n===\n')],
  ['link references', `${of('[a]: /x\n')}===`],
  ['a link title that never ends', `[a]: /x "${of('\\')}\n===`],
  ['open parentheses', `[a]: ${of('(')}\n===`],
  ['a tag with many readings', `<a ${of('b=c\u00a0')}`],
  ['heading marks and spaces', `# ${of(' ')}x\n# ${of(' #')}x`],
  ['comments', of('%%\n')],
  ['formulas', of('$$\n')],
  ['formulas around fences', of('$$\n```\n$$\n```\n')],
  ['formulas that never end', `$$\n${of('```\n$$\n```\n\n$\n')}`],
  ['fences', of('```\n')],
  ['ids', of('^a\n\n')],
  ['result markers', of('<!-- mcp-result -->\n')],
  ['HTML', of('<div>\n\n')],
  ['tabs', `${of('\t')}x`],
  ['frontmatter that never ends', `---\n${of('--- x\n')}`],
])('reads in linear time: %s', (_name, text) => {
  const started = performance.now();
  scan(text);
  expect(performance.now() - started).toBeLessThan(10_000);
});
