import { expect, test } from 'vitest';
import { validateValue } from './validate-value.ts';

const schema = {
  type: 'object',
  properties: {
    city: { type: 'string', minLength: 2, pattern: '^[A-Z]' },
    days: { type: 'integer', minimum: 1, maximum: 7 },
    price: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 100, multipleOf: 0.5 },
    tags: { type: 'array', uniqueItems: true },
    one: { oneOf: [{ type: 'integer' }, { type: 'number' }] },
    no: { not: { type: 'string' } },
    unit: { enum: ['metric', 'imperial'] },
    either: { anyOf: [{ type: 'string' }, { type: 'number' }] },
    'a/b': { type: 'boolean' },
    when: { type: 'string', format: 'date' },
    stops: { type: 'array', items: { $ref: '#/$defs/stop' }, maxItems: 2 },
  },
  required: ['city'],
  additionalProperties: false,
  $defs: { stop: { type: 'object', properties: { at: { type: 'string' } }, required: ['at'] } },
};

test.each([
  [{}, 'city: missing (string)'],
  [{ city: 'Rome', days: 'x' }, 'days: expected integer, got "x"'],
  [{ city: 'Rome', days: 9 }, 'days: expected at most 7, got 9'],
  [{ city: 'Rome', days: 2.5 }, 'days: expected integer, got 2.5'],
  [{ city: 'Rome', unit: 'k' }, 'unit: expected one of "metric", "imperial", got "k"'],
  [{ city: 'Rome', either: [] }, 'either: expected string or number, got []'],
  [{ city: 'Rome', 'a/b': 1 }, 'a/b: expected boolean, got 1'],
  [{ city: 'Rome', when: 'soon' }, 'when: expected text in the format date, got "soon"'],
  [{ city: 'Rome', oops: 1 }, 'oops: unknown'],
  [{ city: 'x' }, 'city: expected at least 2 characters and text that matches ^[A-Z], got "x"'],
  [{ city: 'Rome', stops: [{}] }, 'stops.0.at: missing (string)'],
  [{ city: 'Rome', stops: [{ at: 1 }] }, 'stops.0.at: expected string, got 1'],
  [{ city: 'Rome', price: 0 }, 'price: expected more than 0, got 0'],
  [{ city: 'Rome', price: 100 }, 'price: expected less than 100, got 100'],
  [{ city: 'Rome', price: 1.2 }, 'price: expected a multiple of 0.5, got 1.2'],
  [{ city: 'Rome', tags: [1, 1] }, 'tags: expected no item twice, got [1,1]'],
  [{ city: 'Rome', one: 3 }, 'one: expected what fits only one of its forms, got 3'],
  [{ city: 'Rome', no: 'x' }, /^no: expected what its schema allows \(.*[^.]\), got "x"$/],
])('%j', (value, expected) => {
  const problems = validateValue(schema, value).map((problem) => {
    if (problem.kind === 'unknown') return `${problem.path}: unknown`;
    if (problem.kind === 'missing') return `${problem.path}: missing (${problem.type})`;
    return `${problem.path}: expected ${problem.expected}, got ${problem.actual}`;
  });
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(expected);
});

test('accepts valid values', () => {
  expect(validateValue(schema, { city: 'Rome', days: 3, stops: [{ at: 'noon' }] })).toEqual([]);
});

test.each([
  [0, { minimum: 0, exclusiveMinimum: true }, 'more than 0'],
  [1, { minimum: 0, exclusiveMinimum: true }, undefined],
  [0, { minimum: 0, exclusiveMinimum: false }, undefined],
  [7, { maximum: 7, exclusiveMaximum: true }, 'less than 7'],
  [-5, { exclusiveMinimum: true }, undefined],
])('reads the bounds of older schemas: %j in %j', (value, rule, expected) => {
  const own = { properties: { exclusiveMinimum: { anyOf: [rule] } } };
  const [problem] = validateValue(own, { exclusiveMinimum: value });
  expect(problem && 'expected' in problem ? problem.expected : undefined).toBe(expected);
});

test('does not modify the schema', () => {
  const own = { type: 'object', properties: { a: { $ref: '#/$defs/b' } }, $defs: { b: {} } };
  const before = structuredClone(own);
  validateValue(own, { a: 1 });
  expect(own).toEqual(before);
});

test('throws for a schema that refers to nowhere', () => {
  expect(() => validateValue({ properties: { a: { $ref: '#/nowhere' } } }, { a: 1 })).toThrow();
});

test('names only the first of very many rules for one parameter, and shortens a long rule', () => {
  const anyOf = Array.from({ length: 5_000 }, (_, index) => ({
    const: `${index} ${'a'.repeat(60)}`,
  }));
  const [problem] = validateValue({ properties: { x: { anyOf } } }, { x: 1 });
  expect(problem).toMatchObject({
    expected: expect.stringMatching(/^"0 a+\.\.\. or "1 a+\.\.\. or .*, and 4970 more$/),
  });
  const pattern = `^${'a'.repeat(5_000)}$`;
  const [long] = validateValue({ properties: { x: { pattern } } }, { x: 'b' });
  expect(long).toMatchObject({ expected: expect.stringMatching(/^.{1,2000}$/) });
});
