import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import type { AgentProgram } from '@errand/hooks/bridge';
import { afterAll, expect, test } from 'vitest';
import { bridgeEvent } from './bridge-event.ts';

const home = mkdtempSync(join(tmpdir(), 'errand-bridge-'));
afterAll(() => rmSync(home, { recursive: true }));
const vault = join(home, 'vault');
mkdirSync(join(vault, '.errand'), { recursive: true });
writeFileSync(join(vault, '.errand/hooks.json'), '{ "version": 1, "hooks": [] }');

const plan = { session_id: 's', hook_event_name: 'UserPromptSubmit', prompt: '/speckit.plan' };

/** What an agent reads, when nobody owns any vault. */
async function answer(program: AgentProgram, input: string, strict = false): Promise<string> {
  const stdout = new PassThrough();
  const ports = { stdout, stderr: new PassThrough(), env: {}, cwd: vault };
  const { signal } = new AbortController();
  await bridgeEvent(program, { strict }, { ...ports, stdin: Readable.from([input]), signal });
  return String(stdout.read() ?? '');
}

test.each([
  ['nothing', ''],
  ['no JSON', '{"prompt": "/speckit.plan"'],
  ['more than 1 MiB', JSON.stringify({ ...plan, more: 'x'.repeat(1024 * 1024) })],
  ['another prompt', JSON.stringify({ ...plan, prompt: 'Hello' })],
  ['an edit', JSON.stringify({ hook_event_name: 'PostToolUse', tool_input: {} })],
  ['the end of a turn', JSON.stringify({ session_id: 's', hook_event_name: 'Stop' })],
])('an agent goes on when it is told %s, also strictly', async (_, input) => {
  expect(await answer('claude', input)).toBe('');
  expect(await answer('codex', input, true)).toBe('');
});

test('without an owner an operation goes on, and is denied strictly with what to do', async () => {
  expect(await answer('claude', JSON.stringify(plan))).toBe('');
  expect(JSON.parse(await answer('claude', JSON.stringify(plan), true))).toEqual({
    decision: 'block',
    reason: 'No program runs the hooks of this vault. Start one with: errand up',
  });
});

test('Cursor is told to go on with every prompt', async () => {
  for (const prompt of ['Hello', '/speckit.plan']) {
    const input = JSON.stringify({ hook_event_name: 'beforeSubmitPrompt', prompt });
    expect(JSON.parse(await answer('cursor', input))).toEqual({ continue: true });
  }
});
