import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import type { ConnectStep } from '../connection.ts';
import { HostError } from '../host-error.ts';
import { exampleServer } from '../testing/example-server.ts';
import { MemoryConnector } from '../testing/memory-connector.ts';
import { createMemorySecretStore } from '../testing/memory-secret-store.ts';
import { connectExpanded } from './connect-expanded.ts';

const reference = `\${secret:token}`;
const server = { ...exampleServer, localConfig: { command: 'run', args: [reference] } };
const sources = { env: {}, secrets: createMemorySecretStore({ token: 'hush-hush' }) };
const { signal } = new AbortController();

test('hands the entry over with its references replaced', async () => {
  const inner = new MemoryConnector();
  await connectExpanded(inner, server, sources, { signal });
  expect(inner.latest(server.id).entry.localConfig).toEqual({
    command: 'run',
    args: ['hush-hush'],
  });
});

test('refuses to connect while a secret is missing', async () => {
  const inner = new MemoryConnector();
  const without = { ...sources, secrets: createMemorySecretStore() };
  const refusal = connectExpanded(inner, server, without, { signal });
  await expect(refusal).rejects.toMatchObject({
    code: 'secret_missing',
    facts: { server: 'notes' },
  });
  expect(inner.attempts).toBe(0);
});

test('hides the secret in steps and in the error of a failed start', async () => {
  const inner = new MemoryConnector();
  inner.behaviours.set(server.id, {
    connect: async ({ onStep }) => {
      onStep?.({ name: 'start', detail: 'run hush-hush' });
      const cause = new Error('hush-hush');
      const facts = { lastOutput: 'bad token hush-hush', exitCode: 3 };
      throw new HostError('server_unavailable', 'It said hush-hush.', facts, { cause });
    },
  });
  const steps: ConnectStep[] = [];
  const onStep = (step: ConnectStep) => steps.push(step);
  const connecting = connectExpanded(inner, server, sources, { signal, onStep });
  const error: unknown = await connecting.catch((reason) => reason);
  expect(steps).toEqual([{ name: 'start', detail: `run ${reference}` }]);
  expect(error).toMatchObject({
    code: 'server_unavailable',
    message: `It said ${reference}.`,
    facts: { lastOutput: `bad token ${reference}`, exitCode: 3 },
  });
  expect(inspect(error)).not.toContain('hush-hush');
});

test('hides the secret in failed calls and leaves answers as they are', async () => {
  const inner = new MemoryConnector();
  await using connection = await connectExpanded(inner, server, sources, { signal });
  const behaviour = inner.latest(server.id).behaviour;
  behaviour.call = async () => ({ content: [{ type: 'text', text: 'hush-hush' }] });
  expect(await connection.callTool({ tool: 'echo', arguments: {} }, { signal })).toEqual({
    content: [{ type: 'text', text: 'hush-hush' }],
  });
  behaviour.call = () => Promise.reject(new HostError('tool_failed', 'no hush-hush'));
  const call = connection.callTool({ tool: 'echo', arguments: {} }, { signal });
  await expect(call).rejects.toThrow(`no ${reference}`);
});

test('gives the connection as it is when there is nothing to hide', async () => {
  const inner = new MemoryConnector();
  const connection = await connectExpanded(inner, exampleServer, sources, { signal });
  expect(connection).toBe(inner.latest(exampleServer.id));
});

test('passes resources and prompts on, and hides the secret in their failures', async () => {
  const inner = new MemoryConnector();
  const content = {
    features: { resources: true },
    request: () => Promise.reject(new HostError('invalid_params', 'No hush-hush here.')),
    subscribe: async () => ({ [Symbol.dispose]: () => {} }),
    onChanged: () => {},
  };
  inner.behaviours.set(server.id, { content });
  await using connection = await connectExpanded(inner, server, sources, { signal });
  expect(connection.content?.features).toEqual({ resources: true });
  const request = { method: 'resources/read', params: {} } as const;
  await expect(connection.content?.request(request, signal)).rejects.toMatchObject({
    message: `No ${reference} here.`,
  });
});
