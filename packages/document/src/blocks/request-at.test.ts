import { expect, test } from 'vitest';
import { scan } from '../scan/scan.ts';
import { requestAt } from './request-at.ts';

/** The cursor is where `|` stands. */
function placeIn(marked: string) {
  const at = marked.indexOf('|');
  const text = marked.slice(0, at) + marked.slice(at + 1);
  const place = requestAt(scan(text), at);
  return place && { ...place, replaced: text.slice(place.from, place.to) };
}

test.each([
  ['```|', '', '```', ''],
  ['~~~we|', 'we', '~~~', ''],
  ['``` we|ath timeout=2s\n```', 'we', null, ''],
  ['````we|\n````', 'we', null, ''],
  ['- a\n  > ```we|', 'we', '```', '  > '],
  ['- ```we|', 'we', '```', '  '],
  ['> [!note]\n> ```we|', 'we', '```', '> '],
  ['```|```', '', '```', ''],
  ['```we|\n\nProse.\n\n```js\n1\n```\n', 'we', '```', ''],
])('is at the name of a server: %j', (marked, typed, missingEnd, prefix) => {
  expect(placeIn(marked)).toMatchObject({ kind: 'server', typed, missingEnd, prefix });
});

test.each([
  ['```w\n|\n```', '', []],
  ['```w\n|', '', []],
  ['```w\ntool: t\nci|\nunit: C\n```\ncity: no', 'ci', ['tool', 'unit']],
  ['> ```w\n> tool: t\n> ci|', 'ci', ['tool']],
  ['- ```w\n  tool: t\n  |', '', ['tool']],
  ['1. a\n\n   ```w\n   "odd name": 1\n   c|\n   ```', 'c', ['odd name']],
])('is at the name of a parameter: %j', (marked, typed, names) => {
  expect(placeIn(marked)).toMatchObject({ kind: 'name', typed, names, replaced: typed });
});

test.each([
  ['```w\ntool: fo|\n```', 'tool', 'fo', 'fo'],
  ['```w\ntool:|\n```', 'tool', '', ''],
  ['```w\nunit: |C  # one of: C, F\n```', 'unit', '', 'C'],
  ['```w\nunit: |  # one of: C, F\n```', 'unit', '', ''],
  ['```w\n"a: b": x|y\n```', 'a: b', 'x', 'xy'],
])('is at a value: %j', (marked, name, typed, replaced) => {
  expect(placeIn(marked)).toMatchObject({ kind: 'value', name, typed, replaced });
});

test.each([
  ['```w\ntool: get it # x\n|\n```', 'get it', false],
  ['```w tool=t\ntool: hammer\n|\n```', 't', true],
  ['```w\n|\ntool: "t"\n```', 't', false],
  ['```w\n|\n```', null, false],
])('knows the tool: %j', (marked, tool, isToolNamedAbove) => {
  expect(placeIn(marked)).toMatchObject({ tool, isToolNamedAbove });
});

test.each([
  'we|',
  '``|',
  'text ```we|',
  '```w timeout=|',
  '```w\ntool: t\n```|',
  '```w\ntool: t\n```\nci|',
  '```w\ntext: |\n  li|\n```'.replace('|', '>'),
  '```w\n# uni|t: C\n```',
  '```w\ntool: t # wh|\n```',
  '```w\nci|ty: x\n```',
  '```w\ntool: t\n\nProse|',
  '%%\n```we|\n```\n%%',
  '---\n```we|\n---\n',
  '````md\n```we|\n```\n````',
])('is at no request: %j', (marked) => {
  const place = placeIn(marked);
  expect(place === null || place.language === 'md').toBe(true);
});
