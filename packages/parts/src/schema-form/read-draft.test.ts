import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Draft, draftOf, firstDraft } from './draft.ts';
import { readDraft } from './read-draft.ts';
import type { Schema } from './schema.ts';

const nonsense = fc.constantFrom(null, true, 0, 'x', [], [3], {}, { a: 1 });

const text = (value: string): Draft => ({ kind: 'text', text: value });

function read(draft: Draft, schema: Schema) {
  const { value, mistakes } = readDraft(draft, schema, schema);
  return mistakes.size === 0 ? value : Object.fromEntries(mistakes);
}

/** What is filled into the form of an object with one field `a`. */
function readField(draft: Draft, field: Schema, isRequired = true) {
  const schema = { properties: { a: field }, ...(isRequired && { required: ['a'] }) };
  return read({ kind: 'object', fields: new Map([['a', draft]]) }, schema);
}

test.each<[string, string, Schema, unknown]>([
  ['a number', '1.5', { type: 'number' }, { a: 1.5 }],
  ['text that is not a number', 'x', { type: 'number' }, { a: 'Not a number. Example: 12.' }],
  ['half a whole number', '1.5', { type: 'integer' }, { a: 'Use a whole number.' }],
  [
    'an inexact number',
    '9007199254740993',
    { type: 'integer' },
    { a: 'This number is too large.' },
  ],
  ['too little', '0', { type: 'integer', minimum: 1, maximum: 9 }, { a: 'From 1 up to 9.' }],
  ['the bound itself', '0', { type: 'number', exclusiveMinimum: 0 }, { a: 'More than 0.' }],
  ['a choice', '1', { enum: ['x', { y: 1 }] }, { a: { y: 1 } }],
  ['yes', 'true', { type: 'boolean' }, { a: true }],
  ['a day', '2026-02-03', { type: 'string', format: 'date' }, { a: '2026-02-03' }],
  ['no mail', 'x', { type: 'string', format: 'email' }, { a: expect.stringContaining('e-mail') }],
  [
    'no address',
    'x',
    { type: 'string', format: 'uri' },
    { a: expect.stringContaining('https://') },
  ],
  [
    'too short',
    'x',
    { type: 'string', minLength: 2 },
    { a: 'At least 2 characters are required.' },
  ],
  ['whole characters', '🙂🙂', { type: 'string', maxLength: 2 }, { a: '🙂🙂' }],
  ['JSON', '{"b":[1]}', {}, { a: { b: [1] } }],
  ['invalid JSON', '{', {}, { a: expect.stringContaining('Not valid JSON') }],
])('reads %s', (_, typed, field, outcome) => {
  expect(readField(text(typed), field)).toEqual(outcome);
});

test('a moment is sent with its time zone', () => {
  const field = { type: 'string', format: 'date-time' };
  const moment = '2026-02-03T04:05:06Z';
  expect(readField(draftOf(moment, field, {}), field)).toEqual({ a: moment });
});

test('an empty field is omitted, reported as required, or sent as null', () => {
  expect(readField(text(' '), { type: 'string' }, false)).toEqual({});
  expect(readField(text(''), { type: 'string' })).toEqual({ a: 'This is required.' });
  expect(readField(text(''), { type: ['string', 'null'] })).toEqual({ a: null });
  expect(readField(text(''), { type: ['string', 'null'] }, false)).toEqual({});
});

test('reports mistakes by their path', () => {
  const schema = {
    type: 'object',
    properties: {
      people: {
        type: 'array',
        maxItems: 1,
        items: { properties: { name: { type: 'string' } }, required: ['name'] },
      },
    },
    required: ['people'],
  };
  expect(read(draftOf({ people: [{ name: 'Ada' }, {}] }, schema, schema), schema)).toEqual({
    people: 'At most 1 is allowed.',
    'people.1.name': 'This is required.',
  });
});

test('a form starts with defaults and expanded required fields', () => {
  const schema = {
    type: 'object',
    properties: {
      size: { type: 'integer', default: 3 },
      place: { properties: { city: { type: 'string', default: 'Rome' } } },
      more: { properties: { x: { type: 'string', default: 'y' } } },
      tags: { type: 'array', items: { type: 'string', default: 'new' }, minItems: 1 },
      shape: { oneOf: [{ properties: { kind: { const: 'dot' } }, required: ['kind'] }, {}] },
    },
    required: ['place', 'tags', 'shape'],
  };
  expect(read(firstDraft(schema, schema), schema)).toEqual({
    size: 3,
    place: { city: 'Rome' },
    tags: ['new'],
    shape: { kind: 'dot' },
  });
});

test('a default that does not fit is kept as JSON', () => {
  const schema = { properties: { a: { type: 'integer', default: 'many' } } };
  expect(read(firstDraft(schema, schema), schema)).toEqual({ a: 'many' });
});

test('a field named __proto__ is an ordinary field', () => {
  const schema = JSON.parse('{"properties":{"__proto__":{"type":"string"}}}');
  const value = JSON.parse('{"__proto__":"x"}');
  expect(JSON.stringify(read(draftOf(value, schema, schema), schema))).toBe('{"__proto__":"x"}');
});

test('any JSON survives being a draft of any schema', () => {
  const name = fc.constantFrom('a', 'b', '__proto__', 'c');
  const value = fc.dictionary(name, fc.oneof(fc.jsonValue(), fc.constantFrom('x', 3, ['x'], {})));
  fc.assert(
    fc.property(hostileSchema, value, (schema, given) => {
      // Where null may stand it means the same as nothing.
      fc.pre(!JSON.stringify(given).includes('null'));
      const { value: back, mistakes } = readDraft(draftOf(given, schema, schema), schema, schema);
      // What breaks a rule of the schema is told; nothing is changed in silence.
      if (mistakes.size === 0)
        expect(JSON.stringify(sorted(back))).toBe(JSON.stringify(sorted(given)));
    }),
    { seed: 1, numRuns: 200 },
  );
});

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, part]) => [name, sorted(part)]));
}

test('every schema gives a form at once, whatever a stranger wrote into it', () => {
  fc.assert(
    fc.property(hostileSchema, (schema) => {
      const draft = firstDraft(schema, schema);
      expect(countParts(draft)).toBeLessThan(2_000);
      readDraft(draft, schema, schema);
    }),
    { seed: 1 },
  );
});

test('a schema that requires itself many times over terminates', () => {
  const properties = Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => [`f${index}`, { $ref: '#' }]),
  );
  const schema = { type: 'object', properties, required: Object.keys(properties) };
  expect(countParts(firstDraft(schema, schema))).toBeLessThan(400);
});

function countParts(draft: Draft): number {
  switch (draft.kind) {
    case 'object':
      return [...draft.fields.values()].reduce((sum, part) => sum + countParts(part), 1);
    case 'list':
      return draft.items.reduce((sum, item) => sum + countParts(item.draft), 1);
    case 'variant':
      return 1 + countParts(draft.draft);
    default:
      return 1;
  }
}

/** Schemas with every keyword the form knows, in and out of place, and references in circles. */
const hostileSchema: fc.Arbitrary<Schema> = fc.letrec<{ schema: Schema; part: Schema }>((tie) => ({
  part: fc.oneof(
    { maxDepth: 2, depthIdentifier: 'schema' },
    fc.constantFrom(
      { $ref: '#' },
      { $ref: '#/properties/a' },
      { type: 'null' },
      { type: 'string' },
    ),
    tie('schema'),
  ),
  schema: fc.record(
    {
      type: fc.oneof(
        fc.constantFrom('object', 'array', 'string', 'number', 'integer', 'boolean', 'null'),
        fc.array(fc.constantFrom('string', 'null', 'object')),
        nonsense,
      ),
      properties: fc.dictionary(fc.constantFrom('a', 'b', '__proto__', ''), tie('part')),
      required: fc.oneof(fc.array(fc.constantFrom('a', 'b')), nonsense),
      items: tie('part'),
      minItems: fc.oneof(fc.nat(5), fc.constantFrom(1e9, -1)),
      $ref: fc.constantFrom('#', '#/properties/a', '#/$defs/x', '#/allOf/0', 'elsewhere'),
      allOf: fc.array(tie('part'), { maxLength: 3 }),
      oneOf: fc.array(tie('part'), { maxLength: 3 }),
      anyOf: fc.oneof(fc.array(tie('part'), { maxLength: 3 }), nonsense),
      enum: fc.oneof(fc.array(fc.jsonValue(), { maxLength: 3 }), nonsense),
      const: fc.jsonValue(),
      default: fc.jsonValue(),
      format: fc.constantFrom('date', 'date-time', 'email', 'uri', 'x'),
      minLength: fc.nat(3),
      minimum: fc.oneof(fc.integer(), nonsense),
    },
    { requiredKeys: [] },
  ),
})).schema;
