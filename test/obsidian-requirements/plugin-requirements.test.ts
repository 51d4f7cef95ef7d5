import { expect, test } from 'vitest';
import { testExists } from '../test-exists.ts';
import { functionalRequirements } from './functional-requirements.ts';
import { scenariosAndEdgeCases } from './scenarios-and-edge-cases.ts';

const rows = Object.entries({ ...functionalRequirements, ...scenariosAndEdgeCases }).map(
  ([id, row]) => ({ id, ...row }),
);
const numbered = (prefix: string, last: number, digits = 1) =>
  Array.from({ length: last }, (_, index) => prefix + `${index + 1}`.padStart(digits, '0'));

test('names every requirement, scenario and edge case of the specification once', () => {
  expect(rows.map(({ id }) => id).sort()).toEqual(
    [...numbered('FR-', 42, 3), ...numbered('scenario ', 6), ...numbered('edge case ', 10)].sort(),
  );
});

test.each(rows)('$id names only tests that exist', ({ tests }) => {
  expect(tests.filter((name) => !testExists(name))).toEqual([]);
});

test.each(rows)('$id goes through the built plugin, or says why not', ({ tests, below }) => {
  expect(tests.length).toBeGreaterThan(0);
  if (below === undefined) expect(tests.join()).toContain('.browser.test.ts: ');
  else expect(below).toMatch(/\.$/);
});
