import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test, vi } from 'vitest';
import { ConnectionBench, callText } from '../testing/connection-bench.ts';

test('a host does not grow while a server writes 100 MB to standard error', async () => {
  const program = fileURLToPath(new URL('../testing/flooded-host.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [program]);
  const { grownBy, lastOutput } = JSON.parse(stdout);
  expect(lastOutput).toBeGreaterThan(60_000);
  expect(lastOutput).toBeLessThanOrEqual(64 * 1024);
  expect(grownBy).toBeLessThan(5_000_000);
});

test.each([
  ['has a path too long for a socket', (folder: string) => join(folder, 'long'.repeat(50))],
  ['cannot be written to', (folder: string) => join(folder, 'a-file')],
])('starts a server and keeps its last output when the temporary folder %s', async (_what, of) => {
  await using bench = new ConnectionBench();
  const temporary = of(bench.folder);
  if (temporary.endsWith('a-file')) writeFileSync(temporary, 'no folder');
  else mkdirSync(temporary);
  vi.stubEnv('TMPDIR', temporary);
  const connection = await bench
    .local({ stderr: 'configured\n' })
    .finally(() => vi.unstubAllEnvs());
  expect(await callText(connection, 'echo', { text: 'hi' })).toBe('hi');
  await expect.poll(() => connection.lastOutput()).toBe('configured\n');
});
