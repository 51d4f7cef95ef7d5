import type { AssistantConfig } from '@errand/host';
import { createMemorySecretStore } from '@errand/host/testing';
import { expect, test } from 'vitest';
import { ModelServer } from '../testing/model-server.ts';
import { listModels } from './list-models.ts';
import { testModel } from './test-model.ts';

const ports = {
  env: {},
  secrets: createMemorySecretStore({ key: 'sk-very-secret' }),
  mayUse: () => undefined,
};
const { signal } = new AbortController();

const headers: Readonly<Record<AssistantConfig['provider'], string>> = {
  anthropic: 'x-api-key',
  google: 'x-goog-api-key',
  openai: 'authorization',
  'openai-compatible': 'authorization',
};

test.each(Object.entries(headers) as [AssistantConfig['provider'], string][])(
  'lists the models of %s with its key, and finds one that answers',
  async (provider, header) => {
    await using server = await ModelServer.open({ text: ['ready'] });
    server.lists(['small', 'large', 'small']);
    const assistant = server.assistant(provider);
    expect(await listModels(assistant, ports, signal)).toEqual({ models: ['large', 'small'] });
    expect(server.requests[0]?.headers[header]).toContain('sk-very-secret');
    expect(await testModel(assistant, ports, signal)).toBeUndefined();
    expect(server.requests[1]?.toolNames).toEqual(['unused']);
  },
);

test('a local server is asked without a key', async () => {
  await using server = await ModelServer.open();
  server.lists(['qwen3']);
  const { key: _, ...assistant } = server.assistant('openai-compatible');
  expect(await listModels(assistant, ports, signal)).toEqual({ models: ['qwen3'] });
  expect(server.requests[0]?.headers.authorization).toBeUndefined();
});

test.each([
  ['a refused key', { status: 401, message: 'bad sk-very-secret' }, 'key_refused'],
  ['a busy provider', { status: 429, message: 'later' }, 'model_busy'],
  [
    'an address elsewhere',
    { status: 302, message: '', headers: { location: 'http://b' } },
    'request_refused',
  ],
  ['no list', undefined, 'model_unknown'],
  ['an empty list', [], 'model_failed'],
])('says why no models are listed: %s', async (_, answer, code) => {
  await using server = await ModelServer.open();
  if (answer !== undefined) server.lists(answer);
  const { failure } = await listModels(server.assistant('openai'), ports, signal);
  expect(failure?.code).toBe(code);
  expect(failure?.message).not.toContain('sk-very-secret');
});

test('says that nobody answers there', async () => {
  const server = await ModelServer.open();
  const assistant = server.assistant('openai-compatible');
  await server[Symbol.asyncDispose]();
  const { failure } = await listModels(assistant, ports, signal);
  expect(failure?.code).toBe('model_unreachable');
  expect((await testModel(assistant, ports, signal))?.code).toBe('model_unreachable');
});

test('says that a model takes no tools', async () => {
  await using server = await ModelServer.open({
    status: 400,
    message: 'it does not support tools',
  });
  const failure = await testModel(server.assistant('openai-compatible'), ports, signal);
  expect(failure).toMatchObject({
    code: 'request_refused',
    message: expect.stringContaining('does not support tools'),
  });
});
