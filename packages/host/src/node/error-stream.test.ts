import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

test('a host does not grow while a server writes 100 MB to standard error', async () => {
  const program = fileURLToPath(new URL('../testing/flooded-host.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [program]);
  const { grownBy, lastWords } = JSON.parse(stdout);
  expect(lastWords).toBeGreaterThan(60_000);
  expect(lastWords).toBeLessThanOrEqual(64 * 1024);
  expect(grownBy).toBeLessThan(5_000_000);
});
