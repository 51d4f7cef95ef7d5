import { expect, test } from 'vitest';
import type { ParameterMapping } from './mcp-contract.ts';
import { resolveMappings, uncoveredParameters } from './resolve-mappings.ts';

const literal = (value: string): ParameterMapping => ({ toolParam: 'p', source: 'literal', value });
const template = (value: string) => ({ ...literal(value), source: 'template' }) as const;
const context = (value: string) => ({ ...literal(value), source: 'context' }) as const;
const fields = {
  branch: 'main',
  count: 3,
  on: true,
  list: ['1', '2'],
  call: { tool: 't' },
  gone: null,
};
const schema = (type: unknown, more: object = {}) => ({
  type: 'object',
  properties: { p: typeof type === 'string' ? { type } : type },
  ...more,
});

test.each<[ParameterMapping, unknown, unknown]>([
  [literal('5'), schema('integer'), 5],
  [literal('5.5'), schema('number'), 5.5],
  [literal('true'), schema('boolean'), true],
  [literal('[1,2]'), schema('array'), [1, 2]],
  [literal('{"a":1}'), schema('object'), { a: 1 }],
  [literal('05'), schema('string'), '05'],
  [literal('5'), {}, '5'],
  [literal('5'), undefined, '5'],
  [template('{{ count }}'), schema('integer'), 3],
  [template('{{ count }}'), schema('string'), '3'],
  [template('{{ branch }}-{{ count }}'), schema('string'), 'main-3'],
  [context('count'), schema('integer'), 3],
  [context('count'), {}, 3],
  [context('on'), schema('boolean'), true],
  [context('list'), schema('array'), ['1', '2']],
  [context('list'), schema({ type: 'array', items: { type: 'integer' } }), [1, 2]],
  [context('list'), schema('string'), '["1","2"]'],
  [context('list'), schema({ type: ['string', 'array'] }), ['1', '2']],
  [context('call.tool'), schema('string'), 't'],
  [context('call'), {}, { tool: 't' }],
])('types a value by the schema (fault 5 of the origin): %j as %j', (mapping, given, value) => {
  expect(resolveMappings([mapping], fields, given)).toEqual({
    parameters: { p: value },
    problems: [],
  });
});

test.each<[ParameterMapping, unknown, string]>([
  [literal('many'), schema('integer'), 'Parameter "p": expected an integer, got "many".'],
  [
    context('brnach'),
    schema('string'),
    'There is no context field "brnach". Did you mean "branch"?',
  ],
  [context('call.tol'), schema('string'), 'Did you mean "call.tool"?'],
  [context('constructor'), schema('string'), 'There is no context field "constructor".'],
  [context('__proto__.x'), schema('string'), 'There is no context field'],
  [template('{{ nope }}'), schema('string'), 'Parameter "p": There is no "nope".'],
  [
    { ...literal('x'), toolParam: 'chanel' },
    { properties: { channel: {} } },
    'The tool has no parameter "chanel". Did you mean "channel"?',
  ],
  [
    { ...literal('x'), toolParam: 'other' },
    schema('string', { additionalProperties: false }),
    'The tool has no parameter "other".',
  ],
  [
    literal('500'),
    schema({ type: 'integer', maximum: 100 }),
    'Parameter "p": expected at most 100, got 500.',
  ],
  [literal('red'), schema({ enum: ['green', 'blue'] }), 'expected one of "green", "blue"'],
  [literal('{}'), schema({ type: 'object', required: ['id'] }), '"p.id" is required'],
  [context('gone'), schema('string', { required: ['p'] }), 'This event has no "gone".'],
])('says what is wrong: %j', (mapping, given, problem) => {
  const { problems } = resolveMappings([mapping], fields, given);
  expect(problems[0]).toContain(problem);
});

test('leaves an optional parameter out when the event has no such field', () => {
  const resolved = resolveMappings([context('gone')], fields, schema('string'));
  expect(resolved).toEqual({ parameters: {}, problems: [] });
});

test('names required parameters that nothing covers', () => {
  const given = schema('string', { required: ['p', 'q', 7] });
  expect(uncoveredParameters([literal('x')], given)).toEqual(['q']);
  expect(resolveMappings([literal('x')], fields, given).problems).toEqual([
    'Parameter "q" is required.',
  ]);
});

test('a parameter called __proto__ is a parameter', () => {
  const mapping: ParameterMapping = { toolParam: '__proto__', source: 'literal', value: '{"a":1}' };
  const { parameters } = resolveMappings([mapping], fields, undefined);
  expect(Object.entries(parameters)).toEqual([['__proto__', '{"a":1}']]);
  expect(Object.getPrototypeOf(parameters)).toBe(Object.prototype);
});

test('says that a value is nested too deeply', () => {
  let deep: unknown = 1;
  for (let level = 0; level < 100_000; level++) deep = [deep];
  const { problems } = resolveMappings([context('deep')], { deep }, undefined);
  expect(problems).toEqual([expect.stringContaining('nested more than 100 levels')]);
});
