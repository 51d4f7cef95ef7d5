import { expect, test } from 'vitest';
import type { Completion } from '../../../contract.ts';
import { suggest } from './suggest.ts';

const completion: Completion = {
  servers: [
    {
      name: 'weather',
      enabled: true,
      tools: [
        {
          name: 'forecast',
          description: 'Tells it.',
          parameters: [
            { name: 'city', type: 'text', isRequired: true, description: 'Where', choices: [] },
            {
              name: 'unit',
              type: 'one of: C, F',
              isRequired: false,
              description: '',
              choices: ['C', 'F'],
            },
          ],
        },
      ],
    },
    { name: 'off', enabled: false, tools: [] },
  ],
};

test.each([
  ['``', undefined],
  ['```we', ['weather', 'off', 'mcp']],
  ['> - ~~~', ['weather', 'off', 'mcp']],
  ['text ```', undefined],
  ['```weather\n', ['tool']],
  ['```weather\ntool: f', ['forecast']],
  ['> ```weather\n> tool: f', ['forecast']],
  ['```mcp\ntool: ', ['forecast']],
  ['```weather\ntool: forecast\n', ['city', 'unit']],
  ['```weather tool=forecast\nci', ['city', 'unit']],
  ['```weather\ntool: forecast\ncity: x\nu', ['unit']],
  ['```weather\ntool: forecast\nunit: ', ['C', 'F']],
  ['```weather\ntool: forecast\ncity: ', undefined],
  ['```weather\ntool: forecast\n```\n', undefined],
  ['```js\ncon', undefined],
])('after %j it suggests %j', (before, labels) => {
  const found = suggest(before.split('\n'), [], completion);
  expect(found?.options.map(({ label }) => label)).toEqual(labels);
});

test('parameters below the cursor are not suggested again, and what is typed is replaced', () => {
  const before = ['```weather', 'tool: forecast', '  ci'];
  const found = suggest(before, ['unit: C', '```', 'city: no'], completion);
  expect(found).toEqual({
    from: 2,
    options: [{ label: 'city', text: 'city: ', detail: 'text, needed', info: 'Where' }],
  });
});
