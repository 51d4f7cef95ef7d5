import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';

test('passes every required scenario of both official referees', { timeout: 120_000 }, async () => {
  const child = spawn('node', ['tools/conformance.ts']);
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  expect(output).not.toContain('FAILED');
  expect(output.match(/ scenarios passed/g)).toHaveLength(3);
  expect(code).toBe(0);
});
