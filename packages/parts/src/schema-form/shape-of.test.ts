import { expect, test } from 'vitest';
import type { Schema } from './schema.ts';
import { type Shape, shapeOf } from './shape-of.ts';

const of = (schema: unknown, root: Schema = {}): Shape => shapeOf(schema, root);

test.each<[string, unknown, object]>([
  ['a text', { type: 'string', maxLength: 50 }, { kind: 'text', format: 'line', most: 50 }],
  ['a text without an end', { type: 'string' }, { kind: 'text', format: 'long' }],
  ['a day', { type: 'string', format: 'date' }, { kind: 'text', format: 'date' }],
  ['a moment', { type: 'string', format: 'date-time' }, { kind: 'text', format: 'date-time' }],
  ['an unknown format', { type: 'string', format: 'colour' }, { kind: 'text', format: 'line' }],
  ['a number', { type: 'number', exclusiveMinimum: 0 }, { kind: 'number', isWhole: false }],
  ['a whole number', { type: 'integer' }, { kind: 'number', isWhole: true }],
  ['yes or no', { type: 'boolean' }, { kind: 'flag' }],
  [
    'listed values',
    { enum: ['a', 2] },
    { kind: 'choice', choices: [{ label: 'a' }, { label: '2' }] },
  ],
  [
    'titled values',
    { oneOf: [{ const: 1, title: 'One' }] },
    { choices: [{ label: 'One', value: 1 }] },
  ],
  ['several of listed values', { type: 'array', items: { enum: ['a'] } }, { kind: 'choices' }],
  ['a list', { type: 'array', items: { type: 'string' }, minItems: 2 }, { kind: 'list', least: 2 }],
  ['a tuple', { type: 'array', prefixItems: [{}] }, { kind: 'json' }],
  [
    'an object',
    { properties: { a: {} }, required: ['a'] },
    { fields: [{ name: 'a', isRequired: true }] },
  ],
  ['an object without fields', { type: 'object', properties: {} }, { kind: 'object', fields: [] }],
  ['a table', { type: 'object', additionalProperties: { type: 'string' } }, { kind: 'json' }],
  ['a fixed value', { const: 3 }, { kind: 'fixed', value: 3 }],
  ['a type or null', { type: ['string', 'null'] }, { kind: 'text', isNullable: true }],
  [
    'one or null',
    { anyOf: [{ type: 'integer' }, { type: 'null' }] },
    { kind: 'number', isNullable: true },
  ],
  [
    'two types',
    { type: ['string', 'integer'] },
    { variants: [{ label: 'Text' }, { label: 'Whole number' }] },
  ],
  [
    'parts together',
    { allOf: [{ properties: { a: {} } }, { properties: { b: {} } }] },
    { fields: [{ name: 'a' }, { name: 'b' }] },
  ],
  ['anything', {}, { kind: 'json' }],
  ['nothing', false, { kind: 'json' }],
  ['no schema', 'string', { kind: 'json' }],
])('draws %s', (_, schema, shape) => {
  expect(of(schema)).toMatchObject(shape);
});

test('follows references inside the document, with what stands beside them', () => {
  const root = { $defs: { 'a/b': { type: 'integer', description: 'far' } } };
  const schema = { $ref: '#/$defs/a~1b', description: 'near' };
  expect(of(schema, root)).toMatchObject({ kind: 'number', hint: 'near' });
});

test.each<[string, Schema]>([
  [
    'a circle',
    { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' },
  ],
  ['itself as a part', { $defs: { a: { allOf: [{ $ref: '#/$defs/a' }] } }, $ref: '#/$defs/a' }],
  ['nowhere', { $ref: '#/$defs/none' }],
  ['another document', { $ref: 'https://host.example/schema.json' }],
  ['the prototype', { $ref: '#/__proto__/toString' }],
])('a reference to %s is written as JSON', (_, schema) => {
  expect(of(schema, schema).kind).toBe('json');
});

test('alternatives are named by their title, their mark or their type', () => {
  const schema = {
    oneOf: [
      { title: 'A circle', type: 'object' },
      { type: 'object', properties: { kind: { const: 'square' } } },
      { type: 'object', properties: { a: {} }, required: ['a'] },
      { type: 'array' },
      { type: 'toString' },
    ],
  };
  const shape = of(schema);
  expect(shape.kind === 'variants' && shape.variants.map(({ label }) => label)).toEqual([
    'A circle',
    'square',
    'With a',
    'A list',
    'Choice 5',
  ]);
});

test('what stands beside alternatives holds for each', () => {
  const schema = {
    type: 'object',
    properties: { name: { type: 'string' } },
    required: ['name'],
    oneOf: [{ properties: { a: {} } }, { properties: { b: {} } }],
  };
  const shape = of(schema);
  expect(shape.kind === 'variants' && of(shape.variants[1]?.schema)).toMatchObject({
    fields: [{ name: 'name', isRequired: true }, { name: 'b' }],
  });
});

test('more fields than a person fills in are written as JSON', () => {
  const names = Array.from({ length: 101 }, (_, index) => [`f${index}`, {}]);
  expect(of({ properties: Object.fromEntries(names) }).kind).toBe('json');
});
