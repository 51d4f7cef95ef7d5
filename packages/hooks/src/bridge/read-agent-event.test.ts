import { expect, test } from 'vitest';
import { agentAnswer, operationIn, readAgentEvent } from './read-agent-event.ts';

test.each([
  ['/speckit.plan use SQLite', 'speckit', 'plan'],
  ['  /speckit-implement', 'speckit', 'implementation'],
  ['$speckit-tasks', 'speckit', 'tasks'],
  ['/prompts:speckit.specify a search', 'speckit', 'specify'],
  ['/project:speckit.clarify', 'speckit', 'clarify'],
  ['/SpecKit.Analyze', 'speckit', 'analyze'],
  ['<command-message>speckit.plan is running…</command-message>', 'speckit', 'plan'],
  ['Follow instructions in [speckit.plan.prompt.md](file:///v/x.md).', 'speckit', 'plan'],
  ['/openspec:proposal add search', 'openspec', 'specify'],
  ['/openspec-apply add-search', 'openspec', 'implementation'],
  ['/opsx:propose', 'openspec', 'specify'],
  ['/opsx:verify', 'openspec', 'analyze'],
])('%s is an operation', (prompt, agent, operation) => {
  expect(operationIn(prompt)).toEqual({ agent, operation });
});

test.each([
  '',
  'Explain /speckit.plan to me',
  '/plan',
  '/speckit.constructor',
  '/speckit.unknown',
  '/openspec:archive x',
  'https://speckit.plan',
  'plan this',
  'x'.repeat(2_000_000),
])('other prompts are none: %.40s', (prompt) => {
  expect(operationIn(prompt)).toBeUndefined();
});

test('reads a prompt as each agent hands it over', () => {
  const begin = { phase: 'begin', agent: 'speckit', operation: 'plan', cwd: '/v' };
  const prompt = '/speckit.plan';
  expect(
    readAgentEvent('claude', {
      session_id: 's',
      transcript_path: '/t.jsonl',
      cwd: '/v',
      permission_mode: 'default',
      hook_event_name: 'UserPromptSubmit',
      prompt,
    }),
  ).toEqual({ program: 'claude', session: 's', ...begin });
  expect(
    readAgentEvent('codex', {
      session_id: 's',
      turn_id: 't',
      transcript_path: null,
      cwd: '/v',
      hook_event_name: 'UserPromptSubmit',
      model: 'm',
      permission_mode: 'default',
      prompt,
    }),
  ).toEqual({ program: 'codex', session: 's', ...begin });
  const timestamp = '2026-02-09T10:30:00.000Z';
  const vscode = {
    timestamp,
    cwd: '/v',
    sessionId: 's',
    hookEventName: 'UserPromptSubmit',
    prompt,
  };
  const cli = { timestamp: 1, cwd: '/v', sessionId: 's', prompt };
  for (const payload of [vscode, cli]) {
    expect(readAgentEvent('copilot', payload)).toEqual({
      program: 'copilot',
      session: 's',
      ...begin,
    });
  }
  expect(
    readAgentEvent('cursor', {
      conversation_id: 's',
      generation_id: 'g',
      hook_event_name: 'beforeSubmitPrompt',
      workspace_roots: ['/v'],
      prompt,
      attachments: [],
    }),
  ).toEqual({ program: 'cursor', session: 's', ...begin });
});

test('reads the end of a turn, and whether it was interrupted', () => {
  const end = { session: 's', phase: 'end', isAborted: false };
  const stop = { session_id: 's', hook_event_name: 'Stop', stop_hook_active: false };
  expect(readAgentEvent('claude', { ...stop, last_assistant_message: 'Done.' })).toEqual({
    program: 'claude',
    ...end,
    output: 'Done.',
  });
  expect(readAgentEvent('codex', { ...stop, last_assistant_message: null })).toEqual({
    program: 'codex',
    ...end,
  });
  expect(readAgentEvent('copilot', { sessionId: 's', stopReason: 'end_turn' })).toMatchObject(end);
  const cursor = { conversation_id: 's', hook_event_name: 'stop', loop_count: 0 };
  expect(readAgentEvent('cursor', { ...cursor, status: 'completed' })).toMatchObject(end);
  expect(readAgentEvent('cursor', { ...cursor, status: 'aborted' })).toMatchObject({
    isAborted: true,
  });
});

test.each([
  [undefined],
  [null],
  ['text'],
  [[]],
  [{}],
  [{ hook_event_name: 'UserPromptSubmit', prompt: 7 }],
  [
    {
      hook_event_name: 'PostToolUse',
      tool_input: { file_path: '/v/a.md' },
      prompt: '/speckit.plan',
    },
  ],
  [{ hook_event_name: 'afterFileEdit', file_path: '/v/a.md' }],
])('what concerns no operation is nothing: %j', (payload) => {
  expect(readAgentEvent('claude', payload)).toBeUndefined();
});

test('answers in the form of each agent, and lets it go on without a word', () => {
  const begin = (program: Parameters<typeof agentAnswer>[0]['program'], payload: unknown = {}) =>
    [undefined, 'No.'].map((denial) => {
      const { stdout } = agentAnswer({ program, phase: 'begin' }, payload, denial);
      return stdout === '' ? undefined : JSON.parse(stdout);
    });
  expect(begin('claude')).toEqual([undefined, { decision: 'block', reason: 'No.' }]);
  expect(begin('codex')).toEqual([undefined, { decision: 'block', reason: 'No.' }]);
  expect(begin('cursor')).toEqual([{ continue: true }, { continue: false, user_message: 'No.' }]);
  const vscode = { continue: false, stopReason: 'No.', systemMessage: 'No.' };
  expect(begin('copilot')).toEqual([undefined, vscode]);
  expect(begin('claude', { hookEventName: 'UserPromptSubmit' })).toEqual([undefined, vscode]);
  expect(agentAnswer({ program: 'cursor', phase: 'end' }, {}, undefined).stdout).toBe('');
});
