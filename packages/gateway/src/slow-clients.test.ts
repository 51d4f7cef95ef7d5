import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { addressOf, RawClient, spawnTestProgram, textOf } from './testing/spawn-test-program.ts';

const mebibyte = 1024 * 1024;

test('a client that takes its answer slowly gets all of it, and the gateway lives on', async () => {
  await using program = spawnTestProgram({
    servers: { a: {} },
    over: 'http',
    listen: { keepAliveMs: 400 },
  });
  const url = await addressOf(program);
  using client = await new RawClient(url).initialize();
  using other = await new RawClient(url).initialize();
  const bytes = 10 * mebibyte;
  const params = { name: 'a__large', arguments: { bytes } };
  const response = await client.post('tools/call', params);
  // Nothing of the answer is read while many signs of life are due.
  await other.call('a__sleep', { milliseconds: 2_000 });
  expect((await textOf(response)).length).toBeGreaterThan(bytes);
  expect(await other.call('a__echo', { text: 'hi' })).toMatchObject({
    result: { content: [{ text: 'hi' }] },
  });
});

test('disconnects only the client that lets its answers pile up, with a reason', async () => {
  await using program = spawnTestProgram({
    servers: { a: {} },
    over: 'http',
    listen: { unsent: { perClient: 16 * mebibyte, total: 128 * mebibyte } },
  });
  const url = await addressOf(program);
  using client = await new RawClient(url).initialize();
  using other = await new RawClient(url).initialize();
  const kept = await largeAnswers(other, 1);
  const answers = await largeAnswers(client, 4);
  const ends = await Promise.all(answers.map(end));
  expect(ends).toContain('cut');
  await program.says('did not read its answers and was cut off');
  expect(await Promise.all(kept.map(end))).toEqual(['whole']);
  expect(await client.call('a__echo', { text: 'hi' })).toMatchObject({
    result: { content: [{ text: 'hi' }] },
  });
});

test('disconnects clients that together let too much pile up, the largest first', async () => {
  await using program = spawnTestProgram({
    servers: { a: {} },
    over: 'http',
    listen: { unsent: { perClient: 64 * mebibyte, total: 28 * mebibyte } },
  });
  const url = await addressOf(program);
  using large = await new RawClient(url).initialize();
  const clients = await Promise.all(
    Array.from({ length: 3 }, () => new RawClient(url).initialize()),
  );
  const largest = await largeAnswers(large, 2);
  const [first = []] = await Promise.all(clients.map((client) => largeAnswers(client, 1)));
  await program.says('wait for all clients together');
  expect(await Promise.all(largest.map(end))).toContain('cut');
  expect(await Promise.all(first.map(end))).toEqual(['whole']);
  for (const client of clients) client[Symbol.dispose]();
});

test('a client on stdio that does not read is cut off with a reason', async () => {
  await using program = spawnTestProgram({
    servers: { a: {} },
    over: 'stdio',
    unsentLimit: 8 * mebibyte,
  });
  const { child } = program;
  const call = (id: number) => {
    const params = { name: 'a__large', arguments: { bytes: 4 * mebibyte } };
    return `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })}\n`;
  };
  child.stdin.write([1, 2, 3, 4, 5].map(call).join(''));
  await program.says('did not read its answers and was cut off');
  if (child.exitCode === null) await once(child, 'exit');
});

/** Answers of 8 MiB of which only the beginning is read. */
function largeAnswers(client: RawClient, count: number): Promise<IncomingMessage[]> {
  const params = { name: 'a__large', arguments: { bytes: 8 * mebibyte } };
  return Promise.all(Array.from({ length: count }, () => client.post('tools/call', params)));
}

async function end(response: IncomingMessage): Promise<'whole' | 'cut'> {
  const text = await textOf(response).catch(() => '');
  return text.length > 8 * mebibyte ? 'whole' : 'cut';
}
