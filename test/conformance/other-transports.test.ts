import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Client, SSEClientTransport, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, describe, expect, test } from 'vitest';

const fixture = fileURLToPath(new URL('./fixture/main.ts', import.meta.url));
const children: ChildProcess[] = [];

afterAll(() => {
  for (const child of children) child.kill();
});

// The referee speaks Streamable HTTP only; what it asks there is asked here over the others.
const ways = [
  { name: 'standard input, 2025-11-25', mode: 'legacy' as const, open: overStdio },
  { name: 'standard input, 2026-07-28', mode: { pin: '2026-07-28' }, open: overStdio },
  { name: 'HTTP+SSE, 2025-11-25', mode: 'legacy' as const, open: overSse },
];

describe.each(ways)('over $name', ({ mode, open }) => {
  test('serves what the conformance suite asks for', async () => {
    const logged: unknown[] = [];
    const client = newClient(mode, logged);
    await client.connect(await open());
    await checkTools(client);
    await checkResources(client);
    await checkPrompts(client);
    if (mode === 'legacy') await checkQuestions(client, logged);
    else await checkInputRequired(client);
    await client.close();
  });
});

async function checkTools(client: Client) {
  const call = (name: string) => client.callTool({ name, arguments: {} });
  const { tools } = await client.listTools();
  for (const tool of tools) {
    expect(tool).toMatchObject({
      description: expect.any(String),
      inputSchema: { type: 'object' },
    });
  }
  const types = async (name: string) => (await call(name)).content.map(({ type }) => type);
  expect(await types('test_simple_text')).toEqual(['text']);
  expect(await types('test_image_content')).toEqual(['image']);
  expect(await types('test_audio_content')).toEqual(['audio']);
  expect(await types('test_embedded_resource')).toEqual(['resource']);
  expect(await types('test_multiple_content_types')).toEqual(['text', 'image', 'resource']);
  expect(await call('test_error_handling')).toMatchObject({ isError: true });
  const progress: number[] = [];
  await client.callTool(
    { name: 'test_tool_with_progress', arguments: {} },
    { onprogress: (each) => progress.push(each.progress) },
  );
  expect(progress).toEqual([0, 50, 100]);
}

async function checkResources(client: Client) {
  const { resources } = await client.listResources();
  expect(resources.map(({ uri }) => uri)).toContain('test://static-text');
  expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(1);
  const read = async (uri: string) => (await client.readResource({ uri })).contents;
  expect(await read('test://static-text')).toMatchObject([{ mimeType: 'text/plain' }]);
  expect(await read('test://static-binary')).toMatchObject([{ blob: expect.any(String) }]);
  expect(await read('test://template/123/data')).toMatchObject([
    { text: expect.stringContaining('"id":"123"') },
  ]);
  await expect(read('test://nothing')).rejects.toMatchObject({ code: -32_602 });
}

async function checkPrompts(client: Client) {
  expect((await client.listPrompts()).prompts).toHaveLength(5);
  const get = async (name: string, args?: Record<string, string>) =>
    (await client.getPrompt({ name, ...(args && { arguments: args }) })).messages;
  expect(await get('test_simple_prompt')).toMatchObject([{ role: 'user' }]);
  const substituted = await get('test_prompt_with_arguments', { arg1: 'a', arg2: 'b' });
  expect(substituted).toMatchObject([{ content: { text: expect.stringContaining("arg1='a'") } }]);
  expect(await get('test_prompt_with_image')).toMatchObject([{ content: { type: 'image' } }, {}]);
  const embedded = await get('test_prompt_with_embedded_resource', { resourceUri: 'test://x' });
  expect(embedded).toMatchObject([{ content: { resource: { uri: 'test://x' } } }, {}]);
  const { completion } = await client.complete({
    ref: { type: 'ref/prompt', name: 'test_prompt_with_arguments' },
    argument: { name: 'arg1', value: 'par' },
  });
  expect(completion.values).toEqual(['paris', 'park', 'party']);
}

async function checkQuestions(client: Client, logged: readonly unknown[]) {
  await client.ping();
  await client.setLoggingLevel('info');
  await client.callTool({ name: 'test_tool_with_logging', arguments: {} });
  expect(logged).toHaveLength(3);
  const sampled = await client.callTool({ name: 'test_sampling', arguments: { prompt: 'hi' } });
  expect(sampled).toMatchObject({ content: [{ text: expect.stringContaining('from the model') }] });
  const asked = await client.callTool({ name: 'test_elicitation', arguments: { message: 'who' } });
  expect(asked).toMatchObject({ content: [{ text: expect.stringContaining('action=accept') }] });
  await client.subscribeResource({ uri: 'test://watched-resource' });
  await client.unsubscribeResource({ uri: 'test://watched-resource' });
}

async function checkInputRequired(client: Client) {
  const call = (name: string) => client.callTool({ name, arguments: {} });
  expect(await call('test_input_required_result_elicitation')).toMatchObject({
    content: [{ text: 'Hello, Ada!' }],
  });
  expect(await call('test_input_required_result_sampling')).toMatchObject({
    content: [{ text: expect.stringContaining('from the model') }],
  });
  expect(await call('test_input_required_result_multi_round')).toMatchObject({
    content: [{ text: 'complete' }],
  });
}

function newClient(mode: (typeof ways)[number]['mode'], logged: unknown[]): Client {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { versionNegotiation: { mode }, capabilities: { sampling: {}, elicitation: {}, roots: {} } },
  );
  client.setNotificationHandler('notifications/message', ({ params }) => {
    logged.push(params.data);
  });
  client.setRequestHandler('sampling/createMessage', () => ({
    role: 'assistant',
    model: 'none',
    content: { type: 'text', text: 'from the model' },
  }));
  client.setRequestHandler('elicitation/create', () => ({
    action: 'accept',
    content: { name: 'Ada', username: 'ada', email: 'ada@example.com', color: 'blue' },
  }));
  client.setRequestHandler('roots/list', () => ({ roots: [] }));
  return client;
}

async function overStdio(): Promise<Transport> {
  const args = [fixture, '--log-level', 'silent'];
  return new StdioClientTransport({ command: process.execPath, args });
}

async function overSse(): Promise<Transport> {
  const child = spawn('node', [fixture, '--sse', '0'], { stdio: ['ignore', 'ignore', 'pipe'] });
  children.push(child);
  for await (const line of createInterface({ input: child.stderr })) {
    const { urls } = JSON.parse(line) as { readonly urls?: readonly string[] };
    if (urls?.[0] !== undefined) return new SSEClientTransport(new URL(urls[0]));
  }
  throw new Error('The fixture ended before it served.');
}
