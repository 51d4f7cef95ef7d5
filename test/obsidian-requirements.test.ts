import { expect, test } from 'vitest';
import { pluginRequirements } from './obsidian-requirements.ts';
import { testExists } from './test-exists.ts';

const rows = Object.entries(pluginRequirements).map(([id, row]) => ({ id, ...row }));
const numbered = (prefix: string, last: number, digits = 1) =>
  Array.from({ length: last }, (_, index) => prefix + `${index + 1}`.padStart(digits, '0'));
const fileOf = (name: string) => name.split(': ')[0] ?? '';

/** Files with tests that are named already and not all here yet. */
const awaited = [
  'sections/badges',
  'servers/external-servers',
  'servers/managed-servers.docker',
  'settings/add-server',
  'settings/import',
  'settings/server-page',
  'settings/settings-values',
  'writing/suggestions',
  'assistant/answer-in-note',
  'assistant/approve-calls',
  'assistant/stop-answer',
  'assistant/typing-meanwhile',
]
  .map((name) => `apps/obsidian/src/obsidian/${name}.browser.test.ts`)
  .concat('apps/obsidian/src/settings/describe-server.test.ts');

test('names every requirement, scenario and edge case of the specification once', () => {
  expect(rows.map(({ id }) => id).sort()).toEqual(
    [...numbered('FR-', 42, 3), ...numbered('scenario ', 6), ...numbered('edge case ', 10)].sort(),
  );
});

test.each(rows)('$id names only tests that exist', ({ tests }) => {
  const missing = tests.filter((name) => !testExists(name));
  expect(missing.filter((name) => !awaited.includes(fileOf(name)))).toEqual([]);
});

test('awaits no file whose tests are all here', () => {
  const missing = rows.flatMap(({ tests }) => tests).filter((name) => !testExists(name));
  const files = new Set(missing.map(fileOf));
  expect(awaited.filter((file) => !files.has(file))).toEqual([]);
});

test.each(rows)('$id goes through the built plugin, or says why not', ({ tests, below }) => {
  expect(tests.length).toBeGreaterThan(0);
  if (below === undefined) expect(tests.join()).toContain('.browser.test.ts: ');
  else expect(below).toMatch(/\.$/);
});
