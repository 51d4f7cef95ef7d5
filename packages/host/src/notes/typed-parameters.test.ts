import { textParams } from '@errand/document';
import { expect, test } from 'vitest';
import { typedParameters } from './typed-parameters.ts';

const properties = { path: { type: 'string' }, limit: { type: 'integer' } };

test('names the parameter that was meant where the schema allows others', () => {
  const typed = (given: Readonly<Record<string, string>>, schema: object) => () =>
    typedParameters(textParams(given), { type: 'object', properties, ...schema });
  expect(typed({ pth: 'a' }, {})).toThrow('The tool has no parameter "pth". Did you mean "path"?');
  expect(typed({ path: 'a', Limit: '5' }, {})).toThrow('Did you mean "limit"?');
  expect(typed({ path: 'a', limits: '5', limit: '5' }, {})()).toEqual({
    path: 'a',
    limits: '5',
    limit: 5,
  });
  expect(typed({ other: 'a' }, {})()).toEqual({ other: 'a' });
  expect(typed({ pth: 'a' }, { additionalProperties: true })()).toEqual({ pth: 'a' });
  expect(typed({ pth: 'a' }, { patternProperties: { p: {} } })()).toEqual({ pth: 'a' });
});
