import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider';
import { ManualClock } from '@errand/host/testing';
import { expect, test } from 'vitest';
import { explainModelFailure, toStreamError } from '../model/model-failure.ts';
import type { OpenModel } from '../model/open-model.ts';
import { askModel } from './ask-model.ts';
import { userMessage } from './messages.ts';

const finish: LanguageModelV4StreamPart = {
  type: 'finish',
  finishReason: { unified: 'tool-calls', raw: 'tool_use' },
  usage: {
    inputTokens: { total: 9, noCache: 9, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: undefined, text: undefined, reasoning: undefined },
  },
};

/** Asks a model that streams these parts, and is silent then unless the last one ends the answer. */
function ask(...parts: readonly LanguageModelV4StreamPart[]) {
  const asked: LanguageModelV4CallOptions[] = [];
  const heard: string[] = [];
  const state = { isCancelled: false };
  const languageModel = {
    doStream: async (options: LanguageModelV4CallOptions) => {
      asked.push(options);
      const stream = new ReadableStream<LanguageModelV4StreamPart>({
        start(controller) {
          for (const part of parts) controller.enqueue(part);
          if (parts.at(-1) === finish) controller.close();
        },
        cancel() {
          state.isCancelled = true;
        },
      });
      return { stream };
    },
  } as Partial<LanguageModelV4> as LanguageModelV4;
  const config = { name: 'a', provider: 'openai', model: 'm' } as const;
  const model: OpenModel = { config, languageModel, redact: (text) => text };
  const clock = new ManualClock();
  const controller = new AbortController();
  const answer = askModel(
    model,
    { instructions: 'Be brief.', messages: [userMessage('Hi.')], tools: [] },
    {
      clock,
      signal: controller.signal,
      onText: (text) => heard.push(text),
      onNotice: () => {},
    },
  );
  return { answer, asked, clock, controller, heard, model, state };
}

test('keeps what a provider wants back with its own words, and drops empty texts', async () => {
  const { answer, asked, heard } = ask(
    { type: 'reasoning-start', id: '0' },
    { type: 'reasoning-delta', id: '0', delta: 'Think' },
    { type: 'reasoning-end', id: '0', providerMetadata: { anthropic: { signature: 'abc' } } },
    { type: 'text-start', id: '0' },
    { type: 'text-end', id: '0' },
    { type: 'text-start', id: '1' },
    { type: 'text-delta', id: '1', delta: 'I ' },
    { type: 'text-delta', id: '1', delta: 'look.' },
    { type: 'text-end', id: '1' },
    {
      type: 'tool-call',
      toolCallId: 'c1',
      toolName: 'w__f',
      input: '{"city":"Rome"}',
      providerMetadata: { google: { thoughtSignature: 'xyz' } },
    },
    { type: 'tool-call', toolCallId: 'c2', toolName: 'w__f', input: ' ' },
    { type: 'tool-call', toolCallId: 'c3', toolName: 'w__f', input: '{"city": "Ro' },
    { type: 'tool-call', toolCallId: 'c4', toolName: 'w__f', input: '[1]' },
    finish,
  );
  const call = { type: 'tool-call', toolName: 'w__f', input: {} };
  expect(await answer).toEqual({
    finish: 'tool-calls',
    rawFinish: 'tool_use',
    tokens: { input: 9, output: 0 },
    calls: [
      { id: 'c1', name: 'w__f', input: { city: 'Rome' } },
      { id: 'c2', name: 'w__f', input: {} },
      { id: 'c3', name: 'w__f', input: '{"city": "Ro', mistake: expect.stringMatching(/JSON/) },
      { id: 'c4', name: 'w__f', input: [1], mistake: 'The arguments must be a JSON object.' },
    ],
    messages: [
      {
        role: 'assistant',
        content: [
          {
            type: 'reasoning',
            text: 'Think',
            providerOptions: { anthropic: { signature: 'abc' } },
          },
          { type: 'text', text: 'I look.' },
          {
            ...call,
            toolCallId: 'c1',
            input: { city: 'Rome' },
            providerOptions: { google: { thoughtSignature: 'xyz' } },
          },
          { ...call, toolCallId: 'c2' },
          { ...call, toolCallId: 'c3' },
          { ...call, toolCallId: 'c4' },
        ],
      },
    ],
  });
  expect(heard).toEqual(['I ', 'look.']);
  expect(asked[0]).toMatchObject({
    prompt: [{ role: 'system', content: 'Be brief.' }, userMessage('Hi.')],
    providerOptions: { openai: { store: false } },
  });
  expect(asked[0]).not.toHaveProperty('tools');
});

test('gives up on a model that says nothing more for five minutes, and ends the request', async () => {
  const { answer, clock, model, state, heard } = ask(
    { type: 'text-start', id: '1' },
    { type: 'text-delta', id: '1', delta: 'I' },
  );
  const failure = answer.catch((error: unknown) => explainModelFailure(error, model, false).code);
  await expect.poll(() => heard).toEqual(['I']);
  await clock.advance(300_000);
  expect(await failure).toBe('model_silent');
  expect(state.isCancelled).toBe(true);
  expect(clock.sleepers).toBe(0);
});

test('ends the request when the turn is cancelled', async () => {
  const { answer, controller, state, heard } = ask(
    { type: 'text-start', id: '1' },
    { type: 'text-delta', id: '1', delta: 'I' },
  );
  await expect.poll(() => heard).toEqual(['I']);
  controller.abort(new Error('cancelled by the person'));
  await expect(answer).rejects.toThrow('cancelled by the person');
  expect(state.isCancelled).toBe(true);
});

test.each([
  [{ message: 'Busy.', statusCode: 529, isRetryable: true }, 529, true],
  [{ error: { message: 'Slow down.', code: '429' } }, 429, true],
  [{ message: 'No.', code: 'bad_request' }, undefined, false],
  [{ message: 'No.', status: 400 }, 400, false],
  [{ message: 'Model overloaded' }, 503, true],
  [{ message: 'Internal Server Error' }, 500, true],
])('%j within a stream has the status %s', (error, statusCode, isRetryable) => {
  expect(toStreamError(error)).toMatchObject({ statusCode, isRetryable });
});

test.each([new Error('x'), 'x', null, { code: 500 }])('%j is left as it is', (error) => {
  expect(toStreamError(error)).toBe(error);
});
