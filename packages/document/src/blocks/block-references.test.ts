import { expect, test } from 'vitest';
import { blockReferences } from './block-references.ts';
import { parseRequest } from './parse-request.ts';
import { resolveReferences } from './resolve-references.ts';

test.each<[string, readonly string[]]>([
  ['a: "{{ blocks.w1.city }}"', ['w1']],
  ['a: "{{blocks.w1}}"', ['w1']],
  ['a: "from {{ blocks.one.x }} to {{ blocks.two-b.y | upcase }}"', ['one', 'two-b']],
  ['a: "{{ blocks[\'2024-trip\'].x }}"', ['2024-trip']],
  ['a: ["{{ blocks.b.x }}", {c: "{{ blocks.b.y }}"}]', ['b']],
  ['a: "{% for x in blocks.list.items %}{{ x }}{% endfor %}"', ['list']],
  ['a: |\n  Hello {{ blocks.w1.city }}', ['w1']],
  ['a: "{{ blocks.w1.city"', ['w1']],
  ['a: "{{ title }}"', []],
  ['a: "{{ my.blocks.w1 }} {{ subblocks.w1 }}"', []],
  ['a: blocks.w1.city', []],
  ['a: 5', []],
])('%j refers to %j', (body, ids) => {
  expect(blockReferences(parseRequest('weather', `tool: x\n${body}`, 1).params)).toEqual(ids);
});

test('looks through a long text in one pass', () => {
  const texts = [
    ['{{ blocks. ', 0],
    ['{{ blocks.a }}', 1],
    ['{% {{ }} ', 0],
  ] as const;
  for (const [text, count] of texts) {
    const source = text.repeat(50_000);
    const value = { kind: 'scalar', source, value: source, isPlain: false } as const;
    const started = performance.now();
    expect(blockReferences({ kind: 'map', entries: [['a', value]] })).toHaveLength(count);
    expect(performance.now() - started).toBeLessThan(2000);
  }
});

test('tells an expression that refers to a block and is not closed', () => {
  const { params } = parseRequest('weather', 'tool: x\na: "in {{ blocks.w1.city"', 1);
  expect(resolveReferences(params, { w1: { city: 'Oslo' } })).toMatchObject({
    kind: 'problem',
    message: 'Parameter "a": An expression begins with {{ and has no }}.',
  });
});
