import { expect, test } from 'vitest';
import { foreignReferences } from './foreign-references.ts';
import { loosenSchema } from './loosen-schema.ts';

const elsewhere = { $ref: 'https://example.com/schema.json#/a' };

function left(schema: Record<string, unknown>) {
  const foreign = foreignReferences(schema);
  return foreign && loosenSchema(schema, foreign);
}

test('leaves out what refers to the outside, and nothing else', () => {
  const rest = { type: 'object', required: ['a'], $defs: { b: { type: 'string', pattern: 'x' } } };
  const b = { $ref: '#/$defs/b' };
  expect(left({ ...rest, properties: { a: { ...elsewhere, title: 'A' }, b } })).toEqual({
    ...rest,
    properties: { a: { title: 'A' }, b },
  });
  expect(left({ properties: { a: { $ref: 'other.json' } } })).toEqual({ properties: { a: {} } });
  expect(left({ patternProperties: { x: elsewhere } })).toEqual({ patternProperties: { x: {} } });
});

test.each([
  { properties: { a: { $ref: '#/$defs/nowhere' } } },
  { properties: { $ref: { type: 'string' } } },
  { properties: { a: { const: elsewhere, default: elsewhere } } },
  { $id: 'https://example.com/tool.json', properties: { a: { $ref: 'tool.json#/nowhere' } } },
  {
    properties: { a: { $ref: 'https://example.com/a/b.json' } },
    $defs: {
      a: { $id: 'https://example.com/a/a.json', items: { $ref: 'b.json' } },
      b: { $id: 'https://example.com/a/b.json', type: 'string' },
    },
  },
])('knows what belongs to the schema itself: %j', (schema) => {
  expect(foreignReferences(schema)).toBeUndefined();
});

test.each([
  [{ not: elsewhere }, {}],
  [{ not: { $ref: '#/$defs/a' }, $defs: { a: elsewhere } }, { $defs: { a: {} } }],
  [{ allOf: [elsewhere], unevaluatedProperties: false }, { allOf: [{}] }],
])('never refuses more than the whole schema: %j', (schema, expected) => {
  expect(left(schema)).toEqual(expected);
});
