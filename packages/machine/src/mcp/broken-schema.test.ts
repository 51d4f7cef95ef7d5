import { expect, test } from 'vitest';
import { brokenSchema } from './broken-schema.ts';

test.each([
  {},
  { type: 'object' },
  { type: 'object', properties: { a: true, b: { type: 'string', pattern: '^\\d+$' } } },
  { type: 'object', properties: { a: { pattern: '^[\\w-.]+$' } } },
  {
    type: 'object',
    properties: { a: { $ref: '#/$defs/a~1b' } },
    $defs: { 'a/b': { type: 'string' } },
  },
  { type: 'object', properties: { a: { $ref: 'https://example.com/schema.json' } } },
  { type: 'object', properties: { pattern: { type: 'string' }, required: { type: 'boolean' } } },
  {
    type: 'object',
    properties: { a: { items: [{ type: 'string' }] } },
    additionalProperties: false,
  },
  { type: 'object', properties: { a: { enum: [{ required: 5 }], default: { pattern: '(' } } } },
])('can use %o', (schema) => {
  expect(brokenSchema(schema)).toBeUndefined();
});

test.each([
  [undefined, 'is not an object'],
  [[], 'is not an object'],
  [{ type: 'array' }, 'of type "array"'],
  [{ properties: [] }, 'inputSchema.properties is not an object'],
  [{ properties: { a: 'string' } }, 'inputSchema.properties.a is not a schema'],
  [{ properties: { a: { pattern: '(' } } }, 'inputSchema.properties.a.pattern is not'],
  [{ required: [1] }, 'inputSchema.required is not a list of names'],
  [{ anyOf: [{ $ref: '#/$defs/none' }] }, 'inputSchema.anyOf.0 refers to #/$defs/none'],
  [{ items: { not: 5 } }, 'inputSchema.items.not is not a schema'],
  [nested(100), 'too large'],
])('cannot use %o', (schema, why) => {
  expect(brokenSchema(schema)).toContain(why);
});

test('looks at a hostile schema without following it for ever', () => {
  const wide = {
    properties: Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`p${n}`, {}])),
  };
  expect(brokenSchema(wide)).toContain('too large');
  expect(brokenSchema({ properties: { a: { pattern: '^(a+)+$' } } })).toBeUndefined();
});

function nested(depth: number): Record<string, unknown> {
  return depth === 0 ? {} : { properties: { a: nested(depth - 1) } };
}
