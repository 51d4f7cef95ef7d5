import { neutralize } from '@errand/document/display';
import { liveTexts } from '@errand/document/testing';
import type { Token } from 'markdown-it';
import { expect, test } from 'vitest';
import { createParser } from './render-markdown.ts';

test('what was neutralised holds no picture and no HTML for a reader of tables either', () => {
  const parser = createParser();
  for (const text of liveTexts(1, 2_000)) {
    const neutral = neutralize(text);
    const found = parser.parse(neutral, {}).flatMap(withChildren).filter(isLive);
    expect(found, neutral).toEqual([]);
  }
}, 120_000);

test('aligns the columns of a table without inline styles, which the policy of the page refuses', () => {
  const html = createParser().render('| a | b | c |\n|:-:|--:|---|\n| 1 | 2 | 3 |\n');
  expect(html).toContain('<th align="center">a</th>');
  expect(html).toContain('<td align="right">2</td>');
  expect(html).toContain('<td>3</td>');
  expect(html).not.toContain('style');
});

function withChildren(token: Token): readonly Token[] {
  return [token, ...(token.children ?? [])];
}

function isLive({ type, content }: Token): boolean {
  if (type === 'html_inline') return !/^<br ?\/?>$/i.test(content);
  return type === 'image' || type === 'html_block';
}
