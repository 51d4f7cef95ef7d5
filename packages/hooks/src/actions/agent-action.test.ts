import type { TurnEnd } from '@errand/assistant';
import { HostError } from '@errand/host';
import { expect, test } from 'vitest';
import type { ActionOf } from '../hook-schema.ts';
import { actionContext } from '../testing/action-fixture.ts';
import { type AskAssistant, agentRunner } from './agent-action.ts';

const end = (change: Partial<TurnEnd> = {}): TurnEnd => ({
  state: 'answered',
  message: null,
  text: 'Four.',
  rounds: 1,
  calls: 0,
  tokens: { input: 1, output: 1 },
  durationMs: 1,
  ...change,
});

const action = (parameters: ActionOf<'agent'>['parameters']): ActionOf<'agent'> => ({
  type: 'agent',
  parameters,
});
const question = { assistant: 'Claude', prompt: 'Summarise {{ specPath }}' } as const;
const context = actionContext({ fields: { specPath: 'specs/a.md' } });

test('asks the assistant with the rendered prompt, the note and the chain', async () => {
  const asked: unknown[] = [];
  const ask: AskAssistant = async (assistant, prompt, { note, chain }) => {
    asked.push([assistant, prompt, note, chain.id]);
    return end();
  };
  const { run, isRepeatable, preview } = agentRunner(ask);
  expect(await run(action({ ...question, note: 'Log.md' }), context)).toEqual({
    status: 'success',
    output: { text: 'Four.', calls: 0, rounds: 1, tokens: { input: 1, output: 1 }, note: 'Log.md' },
  });
  expect(asked).toEqual([['Claude', 'Summarise specs/a.md', 'Log.md', 'chain-1']]);
  expect(isRepeatable(action(question))).toBe(false);
  expect(await preview(action(question), context)).toEqual({
    resolved: { assistant: 'Claude', prompt: 'Summarise specs/a.md' },
    problems: [],
  });
  expect(asked).toHaveLength(1);
});

test('tells how a turn ended that is no answer, with what was said so far', async () => {
  const failed = agentRunner(async () =>
    end({ state: 'failed', code: 'model_busy', message: 'Too many requests.', text: 'Fo' }),
  );
  const outcome = await failed.run(action(question), context);
  expect(outcome).toMatchObject({
    status: 'failure',
    code: 'model_busy',
    message: 'Too many requests.',
    output: { text: 'Fo' },
  });
  expect(outcome.isTransient).toBeUndefined();
  const unknown = agentRunner(async () => {
    throw new HostError('settings_invalid', 'No assistant is called "Claude".');
  });
  expect(await unknown.run(action(question), context)).toMatchObject({
    status: 'failure',
    code: 'settings_invalid',
    message: 'No assistant is called "Claude".',
  });
});

test.each(['timeout', 'cancelled'])('ends the turn: %s', async (status) => {
  const cancel = new AbortController();
  const ask: AskAssistant = (_assistant, _prompt, { signal }) =>
    new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve(end({ state: 'cancelled' })));
      if (status === 'cancelled') cancel.abort();
    });
  const timeout = status === 'timeout' ? 20 : 60_000;
  const outcome = await agentRunner(ask).run(
    action({ ...question, timeout }),
    actionContext({ ...context, signal: cancel.signal }),
  );
  expect(outcome).toMatchObject({ status });
});

test('refuses a chat command outside of an editor, an unknown field, and a program without assistants', async () => {
  const ask: AskAssistant = async () => end();
  const chat = action({ command: '/speckit.plan' });
  const sentence = expect.stringContaining('runs only inside an editor that has a chat');
  expect(await agentRunner(ask).run(chat, context)).toMatchObject({
    status: 'failure',
    code: 'editor_only',
    message: sentence,
  });
  expect((await agentRunner(ask).preview(chat, context)).problems).toEqual([sentence]);
  const misspelt = action({ ...question, prompt: '{{ specPth }}' });
  expect(await agentRunner(ask).run(misspelt, context)).toMatchObject({ code: 'invalid_params' });
  expect(await agentRunner(undefined).run(action(question), context)).toMatchObject({
    code: 'no_assistant',
  });
});
