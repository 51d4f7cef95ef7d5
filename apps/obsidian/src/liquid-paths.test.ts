import * as liquid from 'liquidjs';
import { expect, test } from 'vitest';
import * as paths from './liquid-paths.ts';

const variables = {
  blocks: { w1: { city: 'London', tags: ['a', 'b'], when: { from: null } }, '2024-trip': { x: 1 } },
};
const options = { ...liquid.defaultOptions, ownPropertyOnly: true, strictVariables: true };

function evaluate(expression: string) {
  const engine = { options, filters: liquid.filters } as never;
  const context = new liquid.Context(variables, options, { sync: true });
  return {
    whole: () => liquid.toValueSync(new liquid.Value(expression, engine).value(context, false)),
    ours: () => new paths.Value(expression).value(new paths.Context(variables)),
  };
}

test.each([
  'blocks.w1.city',
  ' blocks.w1.tags[1] ',
  'blocks["2024-trip"].x',
  "blocks['w1'].when",
  'blocks.2024-trip.x',
  'blocks.w1.when.from',
])('a path means what it means to LiquidJS: %s', (expression) => {
  const { whole, ours } = evaluate(expression);
  expect(ours()).toEqual(whole());
});

test.each(['blocks.w1.town', 'blocks.w2.x', 'blocks.constructor'])(
  'what is missing is named as by LiquidJS: %s',
  (expression) => {
    const { whole, ours } = evaluate(expression);
    const nameOf = (work: () => unknown) => {
      try {
        work();
        return null;
      } catch (error) {
        return (error as { originalError?: { variableName?: string } }).originalError?.variableName;
      }
    };
    expect(nameOf(ours)).toBe(nameOf(whole));
  },
);

test('a filter says where it works', () => {
  expect(evaluate('blocks.w1.city | upcase').ours).toThrow(/not available in Obsidian/);
});
