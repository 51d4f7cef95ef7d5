import { expect, test } from 'vitest';
import { likelyValues, toolParameters } from './tool-parameters.ts';

test.each([
  [{ enum: ['C', 'F'] }, ['C', 'F']],
  [{ enum: ['C', 'F'], default: 'F' }, ['C', 'F']],
  [{ type: 'boolean' }, [true, false]],
  [{ type: 'integer', default: 10 }, [10]],
  [{ type: 'string' }, []],
  [{ type: 'string', oneOf: [{ const: 'C', title: 'Celsius' }, { const: 'F' }] }, ['C', 'F']],
  [{ anyOf: [{ const: 'C' }, { type: 'number' }] }, []],
  [{ const: 'C' }, ['C']],
])('expects of %j the values %j', (schema, values) => {
  const [parameter] = toolParameters({
    name: 'tool',
    inputSchema: { type: 'object', properties: { it: schema } },
  });
  expect(parameter && likelyValues(parameter)).toEqual(values);
});

test('names the first of very many choices', () => {
  const choices = Array.from({ length: 10_000 }, (_, number) => number);
  const [parameter] = toolParameters({
    name: 'pick',
    inputSchema: { properties: { kind: { enum: choices } } },
  });
  expect(parameter?.type).toMatch(/^one of: 0, 1, .*, 99, and 9900 more$/);
  expect(parameter?.choices).toHaveLength(10_000);
});

test('describes titled values as choices', () => {
  const unit = { type: 'string', oneOf: [{ const: 'C', title: 'Celsius' }, { const: 'F' }] };
  const [parameter] = toolParameters({ name: 'pick', inputSchema: { properties: { unit } } });
  expect(parameter).toMatchObject({ type: 'one of: C, F', choices: ['C', 'F'] });
});
