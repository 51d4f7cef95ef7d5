import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readProgram } from './run-program.ts';

const root = join(import.meta.dirname, '../..');

test('runs Node 20 and 22, and finds the programs built and packed', async () => {
  const { ERRAND_TEST_NODE20: node20 = '', ERRAND_TEST_NODE22: node22 = '' } = process.env;
  expect(await readProgram(node20, ['--version'])).toMatch(/^v20\./);
  expect(await readProgram(node22, ['--version'])).toMatch(/^v22\./);
  expect(existsSync(join(root, 'apps/cli/dist/main.js'))).toBe(true);
  expect(globSync('dist/packages/errand-cli-*.tgz', { cwd: root })).toHaveLength(1);
});
