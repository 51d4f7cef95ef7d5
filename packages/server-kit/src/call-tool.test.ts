import { expect, test } from 'vitest';
import * as z from 'zod';
import { callTool } from './call-tool.ts';
import { defineTool, type ToolContext, type ToolDefinition } from './define-tool.ts';
import type { McpError } from './mcp-error.ts';
import { Session } from './sessions.ts';
import { exampleTools } from './testing/example-tools.ts';
import { silent } from './testing/silent.ts';

const limit = 9 * 1024 * 1024;

test('gives the output as structured content and as JSON text', async () => {
  const { result } = await call('flood', { bytes: 3 });
  expect(result).toEqual({
    content: [{ type: 'text', text: '{"text":"xxx"}' }],
    structuredContent: { text: 'xxx' },
  });
});

test('gives a plain string as text only', async () => {
  const tool = defineTool({
    name: 'say',
    description: '',
    input: z.object({}),
    handler: () => 'hello',
  });
  const { result } = await callTool(tool, {}, context(), limit);
  expect(result).toEqual({ content: [{ type: 'text', text: 'hello' }] });
});

test('names unknown input keys and the known ones', async () => {
  const { result } = await call('echo', { text: 'a', threadId: 5 });
  expect(errorOf(result)).toEqual({
    error: 'invalid_input',
    message: 'The input does not fit echo. Unrecognized key: "threadId". Known keys: text.',
    details: {
      issues: [{ path: '', message: 'Unrecognized key: "threadId"' }],
      unknown_keys: ['threadId'],
      known_keys: ['text'],
    },
  });
});

test('names the parameter that does not fit, what was expected and what came', async () => {
  const { result } = await call('echo', { text: 5 });
  expect(errorOf(result)).toMatchObject({
    error: 'invalid_input',
    message: 'The input does not fit echo. text: Invalid input: expected string, received number.',
  });
});

test('answers an input with very many mistakes in few words', async () => {
  const keys = Array.from({ length: 10_000 }, (_, index) => [`key-${index}`, 1]);
  const { result } = await call('echo', { text: 5, ...Object.fromEntries(keys) });
  expect(errorOf(result)).toMatchObject({
    error: 'invalid_input',
    details: { unknown_keys: keys.slice(0, 10).map(([key]) => key) },
  });
  expect(JSON.stringify(result).length).toBeLessThan(3_000);
});

test("passes a tool's own error on with its code and details", async () => {
  const { result, failure } = await call('refuse');
  expect(failure?.code).toBe('not_found');
  expect(errorOf(result)).toEqual({
    error: 'not_found',
    message: 'There is no such thing.',
    details: { thing: 'x' },
  });
});

test('hides an unexpected error behind an id that is in the log', async () => {
  const logged: unknown[] = [];
  const { result } = await call('explode', {}, context({ logged }));
  const body = errorOf(result);
  expect(body.error).toBe('internal_error');
  expect(JSON.stringify(result)).not.toMatch(/secret|\.ts:|at /);
  expect(logged).toEqual([
    expect.objectContaining({ id: (body.details as { id: string }).id, tool: 'explode' }),
  ]);
});

test('refuses an output that does not fit its schema', async () => {
  const { result } = await call('lie');
  expect(errorOf(result).error).toBe('internal_error');
});

test('refuses an output that JSON cannot hold', async () => {
  const tool = defineTool({
    name: 'huge_number',
    description: '',
    input: z.object({}),
    handler: () => ({ count: 10n }),
  });
  const { result } = await callTool(tool, {}, context(), limit);
  expect(errorOf(result).error).toBe('internal_error');
});

test('refuses an answer of 50 MB and says how much can be sent', async () => {
  const { result } = await call('flood', { bytes: 50_000_000 });
  const { error, message, details } = errorOf(result);
  expect(error).toBe('internal_error');
  expect(message).toContain('Ask for a smaller part');
  expect(details).toEqual({ bytes: 100_000_028, limit });
});

test('counts what escaping adds to an answer', async () => {
  const tool = (text: string) =>
    defineTool({ name: 'text', description: '', input: z.object({}), handler: () => text });
  const fits = await callTool(tool('"'.repeat(400)), {}, context(), 1_000);
  const tooLong = await callTool(tool('"'.repeat(600)), {}, context(), 1_000);
  expect(fits.result.isError).toBeUndefined();
  expect(errorOf(tooLong.result).details).toEqual({ bytes: 1_202, limit: 1_000 });
});

test('ends a call whose handler ignores its signal', async () => {
  const controller = new AbortController();
  const ended = call('hang', {}, context({ signal: controller.signal }));
  controller.abort();
  expect(errorOf((await ended).result).error).toBe('mcp_unavailable');
});

test('does not begin a call that is already cancelled', async () => {
  let hasRun = false;
  const tool = defineTool({
    name: 'touch',
    description: '',
    input: z.object({}),
    handler() {
      hasRun = true;
    },
  });
  await callTool(tool, {}, context({ signal: AbortSignal.abort() }), limit);
  expect(hasRun).toBe(false);
});

function call(name: string, input: unknown = {}, given = context()) {
  const tool = exampleTools.find((each) => each.name === name) as ToolDefinition;
  return callTool(tool, input, given, limit);
}

function context({
  signal = new AbortController().signal,
  logged = [] as unknown[],
} = {}): ToolContext {
  const log = { debug() {}, info() {}, warn() {}, error: (facts: unknown) => logged.push(facts) };
  const session = new Session({ transport: 'stdio', now: () => 0, drop() {}, log: silent });
  return { signal, session, log: log as unknown as ToolContext['log'], progress() {} };
}

function errorOf(result: Awaited<ReturnType<typeof callTool>>['result']) {
  expect(result.isError).toBe(true);
  const [content] = result.content;
  return JSON.parse((content as { text: string }).text) as {
    error: McpError['code'];
    message: string;
    details: unknown;
  };
}
