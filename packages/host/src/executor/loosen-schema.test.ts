import { expect, test } from 'vitest';
import { isRiskySchema, loosenSchema } from './loosen-schema.ts';

test.each([
  [{ properties: { a: { type: 'string' } } }, false],
  [{ properties: { a: { pattern: 'x' } } }, true],
  [{ properties: { pattern: { type: 'string' }, format: { type: 'string' } } }, false],
  [{ properties: { a: { items: [{ format: 'date' }] } } }, true],
  [{ patternProperties: { x: {} } }, true],
  [{ properties: { a: { $ref: '#/$defs/a' } } }, true],
  [{ properties: { a: { const: { pattern: 'x' }, default: { format: 'y' } } } }, false],
  [{ $defs: { a: { pattern: 'x' } } }, true],
])('knows whether %j is risky: %j', (schema, expected) => {
  expect(isRiskySchema(schema)).toBe(expected);
});

test('keeps what is harmless, under the names the author chose', () => {
  expect(
    loosenSchema({
      type: 'object',
      required: ['pattern'],
      properties: {
        pattern: { type: 'string', pattern: 'x', minLength: 2 },
        n: { type: 'number' },
      },
    }),
  ).toEqual({
    type: 'object',
    required: ['pattern'],
    properties: { pattern: { type: 'string', minLength: 2 }, n: { type: 'number' } },
  });
});

test.each([
  [{ not: { pattern: 'x' } }, {}],
  [{ oneOf: [{ pattern: 'x' }, { pattern: 'y' }] }, {}],
  [
    { oneOf: [{ type: 'string' }, { type: 'number' }] },
    { oneOf: [{ type: 'string' }, { type: 'number' }] },
  ],
  [{ anyOf: [{ type: 'string', pattern: 'x' }] }, { anyOf: [{ type: 'string' }] }],
  [{ patternProperties: { x: {} }, additionalProperties: false }, {}],
  [{ allOf: [{ $ref: '#/$defs/a' }], unevaluatedProperties: false }, { allOf: [{}] }],
  [{ if: { pattern: 'x' } }, {}],
  [
    { properties: { a: { format: 'date' } }, additionalProperties: false },
    { properties: { a: {} }, additionalProperties: false },
  ],
])('never refuses more than the whole schema: %j', (schema, expected) => {
  expect(loosenSchema(schema)).toEqual(expected);
});
