import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readProgram } from './run-program.ts';

test('runs Node 22 and finds the programs built', async () => {
  const node = process.env.ERRAND_TEST_NODE22 ?? '';
  expect(await readProgram(node, ['--version'])).toMatch(/^v22\./);
  expect(existsSync(new URL('../../apps/cli/dist/main.js', import.meta.url))).toBe(true);
});
