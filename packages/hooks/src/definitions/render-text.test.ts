import { expect, test } from 'vitest';
import { renderText } from './render-text.ts';

const fields = { branch: '012-search', count: 3, call: { tool: 'send' }, list: [1, 2], gone: null };

test.each<[string, unknown]>([
  ['plain', 'plain'],
  ['{{ branch }}', '012-search'],
  ['{{ count }}', 3],
  ['{{ list }}', [1, 2]],
  ['{{ call.tool }} on {{branch}}', 'send on 012-search'],
  ['{{ branch | upcase }}!', '012-SEARCH!'],
  ['{{ gone }}.', '.'],
])('renders %j', (template, value) => {
  expect(renderText(template, fields)).toEqual({ value });
});

test.each([
  ['{{ brnach }}', 'There is no "brnach". Did you mean "branch"?'],
  ['{{ call.tol }}', 'There is no "call.tol". Did you mean "call.tool"?'],
  ['{{ fetaure }}', 'There is no "fetaure". Did you mean "feature"?'],
  ['{{ constructor }}', 'There is no "constructor".'],
  ['{{ branch.constructor }}', 'constructor'],
  ['{{ __proto__ }}', '__proto__'],
  ['{{ branch | nosuch }}', 'nosuch'],
  ['{% if x %}', 'no {% tags %}'],
  ['{{ branch', 'has no }}'],
  ['{{'.repeat(500_000), 'has no }}'],
])('says what is wrong with %.30j', (template, problem) => {
  expect(renderText(template, fields)).toEqual({ problem: expect.stringContaining(problem) });
});
