import { expect, test } from 'vitest';
import { findLinks, type NoteLink } from './find-links.ts';
import { findTags } from './find-tags.ts';
import { maskCode } from './mask-code.ts';
import { resolveLink } from './resolve-link.ts';

test.each([
  ['[[Plan]]', 'Plan', 'Plan'],
  ['![[Plan]]', 'Plan', 'Plan'],
  ['[[Projects/Plan.md#Goal|the plan]]', 'Projects/Plan', 'Projects/Plan.md'],
  ['| [[Plan\\|label]] |', 'Plan', 'Plan'],
  ['[[Note v1.2]]', 'Note v1.2', 'Note v1.2'],
  ['[text](Projects/My%20Plan.md)', 'Projects/My Plan', 'Projects/My%20Plan.md'],
  ['[text](<My Plan.md#Goal>)', 'My Plan', 'My Plan.md'],
  ['[text](../Plan.md "title")', '../Plan', '../Plan.md'],
  ['[100%](100%.md)', '100%', '100%.md'],
])('finds the link in %j', (text, target, written) => {
  const [link] = findLinks(maskCode(text));
  expect(link?.target).toBe(target);
  expect(text.slice(...(link?.range ?? []))).toBe(written);
});

test.each([
  '`[[Plan]]`',
  '```\n[[Plan]]\n```',
  '%% [[Plan]] %%',
  '<!-- [[Plan]] -->',
  '[x](https://example.org/a.md)',
  '[x](mailto:a@b.md)',
  '[x](picture.png)',
  '[[#Heading here]]',
  '[[two\nlines]]',
])('finds no link in %j', (text) => {
  expect(findLinks(maskCode(text))).toEqual([]);
});

test('masks code without moving anything', () => {
  const text = 'a `b` ``c ` d`` e\n~~~\nf\r\n~~~\n` open\n\ng ` h';
  const masked = maskCode(text);
  expect(masked).toHaveLength(text.length);
  expect(masked.replaceAll(/[ \r]+/g, ' ')).toBe('a e\n \n \n \n` open\n\ng ` h');
});

test('finds tags in the frontmatter and the text, but no numbers, colours in links or headings', () => {
  const body =
    '# Heading\n#todo and (#nested/tag), #日本 #2024 #a2024 http://x/#no a#b ## no\n- #end';
  expect(findTags({ tags: ['One', '#two', 3], tag: 'three, four' }, maskCode(body))).toEqual([
    'One',
    'two',
    'three',
    'four',
    'todo',
    'nested/tag',
    '日本',
    'a2024',
    'end',
  ]);
});

const notes = ['Plan.md', 'A/Plan.md', 'A/B/Plan.md', 'C/Plan.md', 'A/Other.md'];

test.each([
  ['wiki', 'Plan', 'x.md', 'Plan.md'],
  ['wiki', 'plan', 'x.md', 'Plan.md'],
  ['wiki', 'A/Plan', 'C/x.md', 'A/Plan.md'],
  ['wiki', 'B/Plan', 'x.md', 'A/B/Plan.md'],
  ['wiki', '../Plan', 'A/B/x.md', 'A/Plan.md'],
  ['wiki', './Plan', 'C/x.md', 'C/Plan.md'],
  ['wiki', 'Other', 'C/x.md', 'A/Other.md'],
  ['wiki', 'Nowhere', 'x.md', undefined],
  ['markdown', 'Plan', 'C/x.md', 'C/Plan.md'],
  ['markdown', '/A/Plan', 'C/x.md', 'A/Plan.md'],
  ['markdown', 'A/Plan', 'C/x.md', 'A/Plan.md'],
  ['markdown', '../Missing/Plan', 'C/x.md', undefined],
] as const)('leads a %s link to %j in %s to %s', (kind, target, from, expected) => {
  const link: NoteLink = { kind, target, range: [0, 0] };
  expect(resolveLink(link, from, notes)).toBe(expected);
});

test('prefers the same folder among several notes of one name', () => {
  const link: NoteLink = { kind: 'wiki', target: 'Plan', range: [0, 0] };
  expect(resolveLink(link, 'C/x.md', ['A/Plan.md', 'C/Plan.md'])).toBe('C/Plan.md');
  expect(resolveLink(link, 'x.md', ['A/B/Plan.md', 'C/Plan.md'])).toBe('C/Plan.md');
});
