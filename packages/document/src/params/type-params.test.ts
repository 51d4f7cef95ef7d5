import { expect, test } from 'vitest';
import { parseRequest } from '../blocks/parse-request.ts';
import { textParams } from './source-value.ts';
import { typeParams } from './type-params.ts';

/** The parameters of a block with this body, typed by a schema of its properties. */
function typed(
  body: string,
  properties?: Record<string, unknown>,
  more: Record<string, unknown> = {},
) {
  const { params } = parseRequest('s tool=t', body, 1);
  return typeParams(params, properties && { type: 'object', properties, ...more });
}

test('keeps the source text where the schema wants a string', () => {
  const body =
    'zip: 01234\nversion: 1.10\nid: 12345678901234567890\nyes: yes\non: true\nnone: ~\nday: 2026-01-02';
  const string = { type: 'string' };
  const properties = Object.fromEntries(
    ['zip', 'version', 'id', 'yes', 'on', 'none', 'day'].map((name) => [name, string]),
  );
  expect(typed(body, properties)).toEqual({
    values: {
      zip: '01234',
      version: '1.10',
      id: '12345678901234567890',
      yes: 'yes',
      on: 'true',
      none: '~',
      day: '2026-01-02',
    },
    problems: [],
  });
});

test("without a schema, or beside it, YAML's own types hold", () => {
  const body = 'a: 5\nb: "5"\nc: true\nd:\ne: 1.50\nf: [1, x]\ng: {h: 0x10}';
  const values = { a: 5, b: '5', c: true, d: null, e: 1.5, f: [1, 'x'], g: { h: 16 } };
  expect(typed(body).values).toEqual(values);
  expect(typed(body, { other: { type: 'string' } }).values).toEqual(values);
  expect(typed('a: 5', { a: {} }).values).toEqual({ a: 5 });
  expect(typed('a: 5', { a: true }).values).toEqual({ a: 5 });
});

test('quoted numbers become numbers where numbers are wanted', () => {
  const properties = { a: { type: 'integer' }, b: { type: 'number' }, c: { type: 'boolean' } };
  expect(typed('a: "5"\nb: " 1.5e3 "\nc: "TRUE"', properties)).toEqual({
    values: { a: 5, b: 1500, c: true },
    problems: [],
  });
  expect(typed('a: 0x1F\nb: -.5\nc: False', properties).values).toEqual({
    a: 31,
    b: -0.5,
    c: false,
  });
  expect(typed('a: 1e3\nb: 7.', properties).values).toEqual({ a: 1000, b: 7 });
});

test('what cannot be converted is a problem with path, expected and actual', () => {
  const properties = {
    days: { type: 'integer' },
    filter: { type: 'object', properties: { from: { type: 'number' } } },
    tags: { type: 'array', items: { type: 'boolean' } },
    unit: { enum: ['metric', 'imperial'] },
    name: { type: 'string' },
    big: { type: 'integer' },
  };
  const { problems } = typed(
    'days: three\nfilter: {from: x}\ntags: [true, 2]\nunit: kelvin\nname: {a: b}\nbig: 12345678901234567890',
    properties,
  );
  expect(problems.map(({ path, expected, actual }) => [path, expected, actual])).toEqual([
    ['days', 'an integer', '"three"'],
    ['filter.from', 'a number', '"x"'],
    ['tags[1]', 'true or false', '"2"'],
    ['unit', 'one of "metric", "imperial"', '"kelvin"'],
    ['name', 'a string', 'a mapping'],
    ['big', 'an integer', '"12345678901234567890"'],
  ]);
  expect(problems[0]?.message).toBe('Parameter "days": expected an integer, got "three".');
});

test('a number that JSON cannot hold is a problem, not a wrong number', () => {
  for (const source of [
    '1.5',
    '.inf',
    '.nan',
    '',
    '1_000',
    'NaN',
    'Infinity',
    '9007199254740993',
  ]) {
    expect(typed(`a: ${source}`, { a: { type: 'integer' } }).problems).toHaveLength(1);
  }
  expect(typed('a:', { a: { type: 'integer' } }).problems[0]?.actual).toBe('nothing');
});

test('lists and mappings may be given as JSON text', () => {
  const properties = { a: { type: 'array' }, b: { type: 'object' }, c: { type: 'array' } };
  const { values, problems } = typed(`a: '["5", 1]'\nb: '{"x": [1]}'\nc: '{"x": 1}'`, properties);
  expect(values).toMatchObject({ a: ['5', 1], b: { x: [1] } });
  expect(problems.map(({ path }) => path)).toEqual(['c']);
});

test('accepts null where it is allowed and written as null', () => {
  const both = { type: ['string', 'null'] };
  expect(typed('a: null\nb: "null"\nc:', { a: both, b: both, c: both }).values).toEqual({
    a: null,
    b: 'null',
    c: null,
  });
  const nullable = { type: 'integer', nullable: true };
  expect(typed('a: ~\nb: 5', { a: nullable, b: nullable }).values).toEqual({ a: null, b: 5 });
});

test('prefers a string among several types, unless an enum excludes it', () => {
  expect(typed('a: 5', { a: { type: ['integer', 'string'] } }).values).toEqual({ a: '5' });
  expect(typed('a: 5', { a: { anyOf: [{ enum: ['auto'] }, { type: 'integer' }] } }).values).toEqual(
    { a: 5 },
  );
  expect(
    typed('a: auto', { a: { oneOf: [{ const: 'auto' }, { type: 'integer' }] } }).values,
  ).toEqual({
    a: 'auto',
  });
  expect(typed('a: 2', { a: { enum: [1, 2, '3'] } }).values).toEqual({ a: 2 });
  expect(typed('a: 3', { a: { enum: [1, 2, '3'] } }).values).toEqual({ a: '3' });
});

test('local references, combinations and nested schemas are followed', () => {
  const $defs = {
    zip: { type: 'string' },
    address: {
      type: 'object',
      properties: { zip: { $ref: '#/$defs/zip' }, next: { $ref: '#/$defs/address' } },
    },
    'a/b~c': { type: 'string' },
  };
  const properties = {
    home: { $ref: '#/$defs/address' },
    odd: { $ref: '#/$defs/a~1b~0c' },
    all: { allOf: [{ type: ['number', 'string'] }, { type: 'integer' }] },
    tuple: { type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'integer' } },
    old: { type: 'array', items: [{ type: 'string' }], additionalItems: { type: 'string' } },
    map: { type: 'object', additionalProperties: { type: 'string' } },
  };
  const body =
    'home: {zip: 01, next: {zip: 02}}\nodd: 03\nall: 4\ntuple: [05, 06]\nold: [07, 08]\nmap: {x: 09}';
  expect(typed(body, properties, { $defs }).values).toEqual({
    home: { zip: '01', next: { zip: '02' } },
    odd: '03',
    all: 4,
    tuple: ['05', 6],
    old: ['07', '08'],
    map: { x: '09' },
  });
});

test('of several kinds of mapping the one that fits is taken', () => {
  const shape = {
    oneOf: [
      {
        type: 'object',
        properties: { kind: { const: 'circle' }, size: { type: 'number' } },
        required: ['kind'],
      },
      {
        type: 'object',
        properties: { kind: { const: 'label' }, size: { type: 'string' } },
        required: ['kind'],
      },
    ],
  };
  expect(typed('a: {kind: label, size: 05}', { a: shape }).values).toEqual({
    a: { kind: 'label', size: '05' },
  });
});

test('finishes in time for a hostile schema', () => {
  const loop = { $ref: '#/$defs/loop' };
  const bomb = { anyOf: Array.from({ length: 50 }, () => ({ $ref: '#/$defs/bomb' })) };
  const wide = {
    anyOf: Array.from({ length: 64 }, () => ({
      type: 'object',
      additionalProperties: { $ref: '#/$defs/wide' },
    })),
  };
  const $defs = { loop, bomb, wide };
  const deep = `${'{a: '.repeat(30)}1${'}'.repeat(30)}`;
  const started = performance.now();
  expect(typed('a: 5', { a: loop }, { $defs }).values).toEqual({ a: 5 });
  expect(typed('a: 5', { a: bomb }, { $defs }).values).toEqual({ a: 5 });
  expect(typed(`a: ${deep}`, { a: wide }, { $defs }).problems).toEqual([]);
  for (const schema of [
    null,
    5,
    'x',
    [],
    { type: 5 },
    { properties: [] },
    { $ref: 'https://x/y' },
    { $ref: '#/%' },
  ]) {
    expect(typeParams(parseRequest('s tool=t', 'a: 5', 1).params, schema).values).toEqual({ a: 5 });
  }
  expect(performance.now() - started).toBeLessThan(10_000);
});

test('text from a command line or a mapping is typed by the same rules', () => {
  const params = textParams({
    days: '3',
    zip: '01234',
    on: 'true',
    tags: '["a"]',
    free: '5',
    none: 'null',
  });
  const properties = {
    days: { type: 'integer' },
    zip: { type: 'string' },
    on: { type: 'boolean' },
    tags: { type: 'array' },
    none: { type: ['integer', 'null'] },
  };
  expect(typeParams(params, { type: 'object', properties }).values).toEqual({
    days: 3,
    zip: '01234',
    on: true,
    tags: ['a'],
    free: '5',
    none: null,
  });
});

test('treats names such as __proto__ as ordinary names', () => {
  const { values } = typed('__proto__: 1\nconstructor: 2\ntoString: 3');
  expect(Object.entries(values)).toEqual([
    ['__proto__', 1],
    ['constructor', 2],
    ['toString', 3],
  ]);
  expect(typed('constructor: 05', { constructor: { type: 'string' } }).values).toEqual({
    constructor: '05',
  });
});
