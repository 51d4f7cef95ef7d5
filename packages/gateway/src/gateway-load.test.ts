import { Agent, request } from 'node:http';
import type { CallOptions, ToolCall } from '@errand/host';
import { textResult, untilAborted } from '@errand/host/testing';
import { expect, test } from 'vitest';
import { openTestGateway } from './testing/open-test-gateway.ts';

const message = (id: number, params: object) =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params });

test('a hundred clients at once get each their own answers', async () => {
  await using test = await openTestGateway();
  const answers = await Promise.all(
    Array.from({ length: 100 }, async (_, client) => {
      const session = await test.initialize();
      const texts: unknown[] = [];
      for (let id = 0; id < 10; id += 1) {
        const params = { name: 'a__echo', arguments: { text: `${client}/${id}` } };
        const response = await test.post(message(id, params), session);
        texts.push(await response.json());
      }
      return texts;
    }),
  );
  for (const [client, texts] of answers.entries()) {
    expect(texts).toMatchObject(
      Array.from({ length: 10 }, (_, id) => ({
        id,
        result: { content: [{ text: `${client}/${id}` }] },
      })),
    );
  }
  expect(test.memory.host.tracker.totalExecuted).toBe(1000);
});

test('clients that hang up in the middle of a request, or of its answer, disturb nobody', async () => {
  const large = textResult('x'.repeat(8 * 1024 * 1024));
  const call = async ({ arguments: { text } }: ToolCall, { signal }: CallOptions) => {
    if (text === 'hang') return untilAborted(signal);
    return text === 'large' ? large : textResult(String(text));
  };
  await using test = await openTestGateway({ a: { call } });
  const session = await test.initialize();
  const agent = new Agent({ keepAlive: false });
  const headers = { ...session, 'content-type': 'application/json' };
  const hangUps = Array.from({ length: 30 }, (_, index) => {
    const text = ['hang', 'large', 'half'][index % 3];
    const body = message(1000 + index, { name: 'a__echo', arguments: { text } });
    return new Promise<void>((resolve) => {
      const sent = request(test.url, { method: 'POST', agent, headers }, (response) => {
        response.once('data', () => sent.destroy());
        response.on('error', () => {});
      });
      sent.on('error', () => {}).on('close', () => resolve());
      // The first half of a body, and then nothing more.
      if (text === 'half') sent.write(body.slice(0, 20), () => sent.destroy());
      else sent.end(body, () => text === 'hang' && setImmediate(() => sent.destroy()));
    });
  });
  await Promise.all(hangUps);
  const { events, tracker } = test.memory.host;
  await new Promise<void>((resolve) => {
    const look = () => {
      if (tracker.activeExecutions.size === 0) resolve();
    };
    events.subscribe(look);
    look();
  });
  const params = { name: 'a__echo', arguments: { text: 'still here' } };
  const response = await test.post(message(1, params), session);
  expect(await response.json()).toMatchObject({ result: { content: [{ text: 'still here' }] } });
  agent.destroy();
});
