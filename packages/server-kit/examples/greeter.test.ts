import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Program } from '../src/testing/start-program.ts';

const example = new URL('./greeter.ts', import.meta.url);

test('greets, refuses, and reports its health', async () => {
  await using program = new Program(example, [], { MCP_LOG_LEVEL: 'error' });
  const { client } = program;
  expect(await client.initialize()).toMatchObject({
    result: { serverInfo: { name: 'greeter', version: '1.0.0' } },
  });
  expect(await client.call('greet', { name: 'Ada' })).toMatchObject({
    result: { structuredContent: { greeting: 'Hello, Ada!' } },
  });
  expect(await client.call('greet', { name: 'nobody' })).toMatchObject({
    result: { isError: true, content: [{ text: expect.stringContaining('"error":"not_found"') }] },
  });
  expect(await client.call('health_check')).toMatchObject({
    result: { structuredContent: { status: 'healthy', greeted: 1 } },
  });
  client.end();
  expect(await program.exited).toEqual({ code: 0, signal: null });
  expect(program.errors).toBe('');
});

test('is short enough to read', () => {
  expect(readFileSync(example, 'utf8').trim().split('\n').length).toBeLessThan(40);
});

test('equals the code in the manual', () => {
  const manual = readFileSync(new URL('../../../docs/server-kit.md', import.meta.url), 'utf8');
  expect(manual).toContain(readFileSync(example, 'utf8').trim());
});
