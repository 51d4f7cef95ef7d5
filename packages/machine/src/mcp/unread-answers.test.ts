import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

test('a server that asks for ever and reads nothing loses its connection, and the host stays small', async () => {
  const program = fileURLToPath(new URL('../testing/asked-host.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [program], { timeout: 60_000 });
  const { grownBy, message, lost } = JSON.parse(stdout);
  expect(message).toContain('asks without reading the answers');
  expect(lost).toBe(message);
  expect(grownBy).toBeLessThan(150_000_000);
});
