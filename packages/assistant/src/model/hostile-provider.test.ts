import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AssistantConfig } from '@errand/host';
import { expect, test } from 'vitest';
import { openTurnFixture } from '../testing/turn-fixture.ts';

const providers: readonly AssistantConfig['provider'][] = [
  'anthropic',
  'openai',
  'google',
  'openai-compatible',
];

test.each(providers)('follows no redirect of %s with the key and the notes', async (provider) => {
  const seen: string[] = [];
  const elsewhere = createServer((request, response) => {
    seen.push(JSON.stringify(request.headers));
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
  const { port } = elsewhere.address() as AddressInfo;
  try {
    await using fixture = await openTurnFixture({ provider });
    const location = `http://127.0.0.1:${port}/v1/messages`;
    fixture.model.always({ status: 307, message: 'Go there.', headers: { location } });
    const end = await fixture.ask();
    expect(seen).toEqual([]);
    expect(end).toMatchObject({ state: 'failed', code: 'request_refused' });
    expect(end.message).toContain(`127.0.0.1:${port}`);
  } finally {
    elsewhere.close();
    elsewhere.closeAllConnections();
  }
});

test('shows no part of a key where a long error message is cut', async () => {
  await using fixture = await openTurnFixture();
  fixture.model.always({ status: 400, message: `${'x'.repeat(492)}sk-very-secret is wrong` });
  const end = await fixture.ask();
  expect(end.message).not.toContain('sk-very');
});

test.each([
  ['before a word came', ''],
  [
    'in the middle',
    'event: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}\n\nevent: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"One."}}\n\n',
  ],
])('reports the message of a provider that fails within its stream %s', async (_when, before) => {
  let requests = 0;
  const server = createServer((_request, response) => {
    requests += 1;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(
      `event: message_start\ndata: {"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}}\n\n${before}event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Too many people."}}\n\n`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    await using fixture = await openTurnFixture({
      assistant: { baseUrl: `http://127.0.0.1:${port}` },
    });
    const end = await fixture.ask();
    expect(end.code).toBe(before === '' ? 'model_busy' : 'answer_cut');
    expect(end.message).toContain('Too many people.');
    expect(requests).toBe(before === '' ? 3 : 1);
  } finally {
    server.close();
    server.closeAllConnections();
  }
});
