import type { Connection } from '@errand/host';
import { expect, test } from 'vitest';
import { ConnectionBench, callText, soon } from '../testing/connection-bench.ts';

const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const result = '"result":{"content":[{"type":"text","text":"answered"}]}';

/** Lines after which a server answers as if nothing had happened. */
const odd: Readonly<Record<string, string>> = {
  'an id with a leading zero': `{"jsonrpc":"2.0","id":01,${result}}`,
  'a raw tab in the id of an unreadable line': '{"jsonrpc":"2.0","id":"a\tb","result":oops',
  'an id with toString': `{"jsonrpc":"2.0","id":{"toString":1,"valueOf":2},${result}}`,
  'an id with toPrimitive': `{"jsonrpc":"2.0","id":{"__proto__":{"toString":null}},${result}}`,
  'a deep id': `{"jsonrpc":"2.0","id":${deep(20_000)},${result}}`,
  'a deep id of a request': `{"jsonrpc":"2.0","id":${deep(20_000)},"method":"ping"}`,
  'a deep notification': `{"jsonrpc":"2.0","method":"x","params":{"a":${deep(20_000)}}}`,
  'a deep method': `{"jsonrpc":"2.0","method":${deep(20_000)}}`,
  'a token with toString':
    '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":{"toString":1},"progress":1}}',
  'a deep token': `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${deep(150)},"progress":1}}`,
  'a very deep token': `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${deep(20_000)},"progress":1}}`,
  'progress without params': '{"jsonrpc":"2.0","method":"notifications/progress"}',
  'params that are a list': '{"jsonrpc":"2.0","method":"notifications/progress","params":[1]}',
  'an id of a million characters': `{"jsonrpc":"2.0","id":"${'9'.repeat(1_000_000)}",${result}}`,
  'a number beyond all numbers': `{"jsonrpc":"2.0","id":1e999,${result}}`,
  'a batch of a batch': `[[{"jsonrpc":"2.0","id":1,${result}}]]`,
  'an unended line of brackets': '['.repeat(100_000),
};

test.each(Object.entries(odd))(
  '%s ends neither the host nor the connection',
  async (_name, line) => {
    await using bench = new ConnectionBench();
    const connection = await bench.local();
    const call = { tool: 'raw', arguments: { text: `${line}\n`, answers: true } };
    const answer = await connection.callTool(call, { signal: soon(), onProgress: () => undefined });
    expect(answer.content).toEqual([{ type: 'text', text: 'answered' }]);
    expect(await callText(connection, 'echo', { text: 'after' })).toBe('after');
  },
);

/** Answers that cannot be taken, and the failure of the call. */
const refused: Readonly<Record<string, readonly [Raw, object]>> = {
  'with a zero before its id': [
    { text: `{"jsonrpc":"2.0","id":0ID,${result}}\n` },
    { code: 'tool_failed' },
  ],
  'of 20,000 levels': [
    { text: `{"jsonrpc":"2.0","id":ID,"result":{"content":[],"x":${deep(20_000)}}}\n` },
    { code: 'result_too_large', message: expect.stringContaining('deeper than 200 levels') },
  ],
  'of 20,000 levels with its id behind them': [
    { text: `{"jsonrpc":"2.0","result":{"structuredContent":${deep(20_000)}},"id":ID}\n` },
    { code: 'result_too_large' },
  ],
  'with an error that is a text': [
    { text: '{"jsonrpc":"2.0","id":ID,"error":"no such day"}\n' },
    { code: 'tool_failed', message: 'Server "scripted" refused the request: no such day' },
  ],
  'with an error of a million characters': [
    {
      before: '{"jsonrpc":"2.0","id":ID,"error":{"code":1,"message":"',
      text: 'no such day ',
      times: 100_000,
      after: '"}}\n',
    },
    { code: 'tool_failed', message: expect.stringMatching(/^.{4000,4100}\.{3}$/) },
  ],
  'with neither result nor error': [
    { text: '{"jsonrpc":"2.0","id":ID}\n' },
    { code: 'tool_failed', message: expect.stringContaining('It did not say why') },
  ],
  'with a deep error': [
    { text: `{"jsonrpc":"2.0","id":ID,"error":${deep(20_000)}}\n` },
    { code: 'result_too_large' },
  ],
  'of more than 10,000 parts': [
    {
      before: '{"jsonrpc":"2.0","id":ID,"result":{"content":[',
      text: '{"type":"text","text":""},',
      times: 10_000,
      after: '{}]}}\n',
    },
    { code: 'result_too_large', message: expect.stringContaining('10001 parts') },
  ],
  'of 60 MB in 20 million parts': [
    {
      before: '{"jsonrpc":"2.0","id":ID,"result":{"content":[',
      text: '{},',
      times: 20_000_000,
      after: '{}]}}\n',
    },
    { code: 'result_too_large', message: expect.stringContaining('2,000,000 values') },
  ],
  'over 64 MiB with a text for its id behind it': [
    {
      before: '{"result":{"content":[{"type":"text","text":"',
      text: 'x'.repeat(1024 * 1024),
      times: 65,
      after: '"}]},"id":"ID","jsonrpc":"2.0"}\n',
    },
    { code: 'result_too_large', message: expect.stringContaining('64 MiB is the most') },
  ],
  'over 64 MiB with its id between other members': [
    {
      before: '{"jsonrpc":"2.0","took":1.5,"id":ID,"result":{"content":[{"type":"text","text":"',
      text: 'x'.repeat(1024 * 1024),
      times: 65,
      after: '"}]}}\n',
    },
    { code: 'result_too_large' },
  ],
};

test.each(Object.entries(refused))(
  'an answer %s fails its call at once, and only that one',
  async (_name, [raw, failure]) => {
    await using bench = new ConnectionBench();
    const connection = await bench.local();
    await expect(write(connection, raw)).rejects.toMatchObject(failure);
    expect(await callText(connection, 'echo', { text: 'after' })).toBe('after');
  },
);

test.each([
  ['an error that is a text', { error: 'no licence key' }, 'no licence key'],
  ['an error that is nothing', { error: null }, 'It did not say why'],
])('a handshake that is answered with %s fails at once', async (_name, initialize, words) => {
  await using bench = new ConnectionBench();
  await expect(bench.local({ initialize })).rejects.toMatchObject({
    code: 'server_unavailable',
    message: expect.stringContaining(words),
  });
});

test('an answer in the newer era whose error is a text fails its call at once', async () => {
  await using bench = new ConnectionBench();
  const connection = await bench.local({ protocolVersion: '2026-07-28' });
  const text = '{"jsonrpc":"2.0","id":ID,"error":"no such day"}\n';
  await expect(write(connection, { text })).rejects.toMatchObject({
    message: 'Server "scripted" refused the request: no such day',
  });
});

test('a call in the newer era that is answered with questions for ever fails in words', async () => {
  await using bench = new ConnectionBench();
  const connection = await bench.local({ protocolVersion: '2026-07-28' });
  const asks = '"result":{"resultType":"input_required","inputRequests":{},"requestState":"x"}';
  const text = `{"jsonrpc":"2.0","id":ID,${asks}}\n`;
  await expect(write(connection, { text })).rejects.toMatchObject({
    code: 'tool_failed',
    message: expect.stringContaining('asked again and again instead of answering'),
  });
});

interface Raw {
  readonly before?: string;
  readonly text: string;
  readonly times?: number;
  readonly after?: string;
}

function write(connection: Connection, raw: Raw): Promise<unknown> {
  return connection.callTool({ tool: 'raw', arguments: { ...raw } }, { signal: soon() });
}
