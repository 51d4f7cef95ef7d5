import { expect, test } from 'vitest';
import { findTemplateMistake, renderTemplate } from './render-template.ts';

const variables = {
  blocks: { w1: { city: 'London', days: 3, tags: ['a', 'b'], when: { from: null } }, note: 'hi' },
};

test.each<[string, unknown]>([
  ['{{ blocks.w1.days }}', 3],
  [' {{- blocks.w1.tags -}} ', ['a', 'b']],
  ['{{ blocks.w1.when }}', { from: null }],
  ['{{ blocks.w1.when.from }}', null],
  ['{{ blocks["w1"].city | upcase }}', 'LONDON'],
  ['{{ blocks.w1.tags[1] }}', 'b'],
  ['{{ blocks.note }}', 'hi'],
  ['{{ blocks.w1.city }} for {{ blocks.w1.days }} days', 'London for 3 days'],
  ['see {{ blocks.w1.tags }}{{ blocks.w1.when.from }}', 'see ["a","b"]'],
])('%j is %j', (template, value) => {
  expect(renderTemplate(template, variables)).toEqual({ kind: 'value', value });
});

test.each([
  ['{{ blocks.w1.citty }}', 'There is no "blocks.w1.citty". Did you mean "blocks.w1.city"?'],
  ['in {{ blocks.w2.city }}', 'There is no "blocks.w2". "blocks" has w1, note.'],
  [
    '{{ blocks.w1.weather }}',
    'There is no "blocks.w1.weather". "blocks.w1" has city, days, tags, when.',
  ],
  [
    '{{ blocks.w1.tags.name }}',
    'There is no "blocks.w1.tags.name". "blocks.w1.tags" is a list of 2, from blocks.w1.tags[0] on.',
  ],
  ['{{ blocks.note.city }}', 'There is no "blocks.note.city". "blocks.note" has no parts.'],
  ['{{ title }}', 'There is no "title".'],
  ['{{ blocks.constructor }}', 'There is no "blocks.constructor". "blocks" has w1, note.'],
  ['{{ blocks.w1.city | shout }}', /undefined filter: shout/],
  ['{% include "/etc/passwd" %}', /no \{% tags %\}/],
  ['{{ (1..100000000) | join: "" }}', /limit exceeded/],
])('%j is a problem', (template, message) => {
  expect(renderTemplate(template, variables)).toEqual({
    kind: 'problem',
    message: typeof message === 'string' ? message : expect.stringMatching(message),
  });
});

test('a large value that is named often does not fill the memory', () => {
  const large = 'x'.repeat(10_000_000);
  expect(renderTemplate('{{ large }} {{ large }}', { large })).toMatchObject({
    kind: 'problem',
    message: expect.stringContaining('more than 16 million characters'),
  });
});

test.each([
  ['plain', undefined],
  ['{{ a.b | upcase }} {{ c }}', undefined],
  ['{{ a | shout }}', /undefined filter: shout/],
  ['{{ }}', /cannot be used/],
  ['{{ a[ }}', /not closed/],
  ['a {{ b', /has no \}\}/],
  ['{{'.repeat(500_000), /has no \}\}/],
  ['{% if a %}', /no \{% tags %\}/],
])('finds what is wrong with %.20j before there are values', (template, message) => {
  const found = findTemplateMistake(template);
  if (message === undefined) expect(found).toBeUndefined();
  else expect(found).toMatch(message);
});

test.each([
  [
    'evaluates an expression for each item',
    `{{ list | where_exp: 'x', 'list contains x' | size }}`,
  ],
  ['compares without end', `{{ ${Array(1500).fill('list contains "no"').join(' or ')} }}`],
  ['chains filters', `{{ text${' | url_encode'.repeat(3000)} | size }}`],
])('ends a template that %s', (_, template) => {
  const list = Array.from({ length: 20_000 }, (_, n) => ({ n }));
  const start = performance.now();
  const rendered = renderTemplate(template, { list, text: ' '.repeat(60_000) });
  expect(rendered).toMatchObject({ message: expect.stringContaining('limit exceeded') });
  expect(performance.now() - start).toBeLessThan(5000);
});

test('keeps openings without an end as text, in linear time', () => {
  const open = '{{'.repeat(500_000);
  expect(renderTemplate(`{{ a }}${open}`, { a: 1 })).toEqual({ kind: 'value', value: `1${open}` });
});
