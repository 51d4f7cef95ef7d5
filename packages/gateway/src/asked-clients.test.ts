import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { journalled, temporaryFolder } from '@errand/machine/testing';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import { addressOf, spawnTestProgram } from './testing/spawn-test-program.ts';
import { startTestProgram } from './testing/start-test-program.ts';

const wires = (['stdio', 'http'] as const).flatMap((over) =>
  (['legacy', 'modern'] as const).map((era) => [over, era] as const),
);
const form = {
  method: 'elicitation/create',
  params: {
    message: 'Where to?',
    requestedSchema: { type: 'object', properties: { city: { type: 'string' } } },
  },
};
const sampling = {
  method: 'sampling/createMessage',
  params: {
    messages: [{ role: 'user', content: { type: 'text', text: 'What is it?' } }],
    maxTokens: 10,
  },
};

describe.each(wires)('a client over %s in the %s era', (over, era) => {
  const servers = {
    a: { protocolVersion: '2025-11-25' },
    b: { protocolVersion: '2026-07-28' },
  } as const;

  test('is asked by servers of both eras what it says it can answer', async () => {
    const capabilities = { elicitation: {}, sampling: {} };
    await using program = await startTestProgram(over, era, servers, {}, { capabilities });
    const { client } = program;
    const asked: unknown[] = [];
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      asked.push(params.message);
      return { action: 'accept', content: { city: 'Bern' } };
    });
    client.setRequestHandler('sampling/createMessage', async ({ params }) => {
      asked.push(params.messages);
      return { role: 'assistant', content: { type: 'text', text: 'Bern.' }, model: 'm' };
    });
    for (const server of ['a', 'b'] as const) {
      expect(await ask(client, form, server)).toEqual({
        action: 'accept',
        content: { city: 'Bern' },
      });
      expect(await ask(client, sampling, server)).toMatchObject({
        content: { text: 'Bern.' },
        model: 'm',
      });
      expect(asked.splice(0)).toEqual(['Where to?', sampling.params.messages]);
    }
  });

  test('declines for servers of both eras when it cannot be asked', async () => {
    await using program = await startTestProgram(over, era, servers);
    expect(await ask(program.client, form, 'a')).toEqual({ action: 'decline' });
    expect(await ask(program.client, form, 'b')).toEqual({ action: 'decline' });
  });
});

test('asks no client when a question may be for another one', async () => {
  await using folder = await temporaryFolder();
  const journal = join(folder.path, 'journal');
  writeFileSync(journal, '');
  await using program = spawnTestProgram({ servers: { a: { journal } }, over: 'http' });
  const url = new URL(await addressOf(program));
  const [client, other] = await Promise.all([connect(url), connect(url)]);
  const stop = new AbortController();
  const hang = other.callTool({ name: 'a__hang', arguments: {} }, { signal: stop.signal });
  hang.catch(() => {});
  await journalled(journal, ({ tool }) => tool === 'hang', AbortSignal.timeout(10_000));
  expect(await ask(client, form)).toEqual({ action: 'decline' });
  stop.abort();
  await journalled(journal, ({ kind }) => kind === 'cancelled', AbortSignal.timeout(10_000));
  expect(await ask(client, form)).toEqual({ action: 'accept' });
  await Promise.all([client.close(), other.close()]);
});

async function connect(url: URL): Promise<Client> {
  const info = { name: 'test', version: '1.0.0' };
  const client = new Client(info, { capabilities: { elicitation: {} } });
  client.setRequestHandler('elicitation/create', async () => ({ action: 'accept' }));
  await client.connect(new StreamableHTTPClientTransport(url));
  return client;
}

/** Lets the server ask something in the course of a call, and returns what it was told. */
async function ask(client: Client, question: object, server = 'a'): Promise<unknown> {
  const result = await client.callTool({ name: `${server}__ask`, arguments: { ...question } });
  const [part] = result.content;
  if (part?.type !== 'text') throw new Error(JSON.stringify(result));
  return JSON.parse(part.text) as unknown;
}
