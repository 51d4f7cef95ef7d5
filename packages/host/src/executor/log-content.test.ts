import type { JsonObject } from '@errand/wire';
import { expect, test } from 'vitest';
import type { ContentRequest } from '../connection.ts';
import { HostError } from '../host-error.ts';
import { localServer } from '../testing/local-server.ts';
import { memoryHost } from '../testing/memory-host.ts';

const read = (uri: string): ContentRequest => ({ method: 'resources/read', params: { uri } });
const answers: Readonly<Record<string, JsonObject>> = {
  'resources/read': { contents: [{ uri: 'test://a', text: 'höhe' }] },
  'prompts/get': { messages: [{ role: 'user', content: { type: 'text', text: 'four' } }] },
};

async function ask(request: ContentRequest, error?: Error) {
  await using fixture = await memoryHost([localServer('a')]);
  const { host, connector, log, clock } = fixture;
  connector.behaviours.set('a', {
    content: {
      features: { resources: true, prompts: true },
      request: async ({ method }) => {
        await clock.advance(40);
        if (error !== undefined) throw error;
        return answers[method] ?? {};
      },
      subscribe: async () => ({ [Symbol.dispose]() {} }),
      onChanged() {},
    },
  });
  const { signal } = new AbortController();
  const answer = host.servers.content('a', request, signal);
  const ended = await answer.catch((thrown: unknown) => thrown);
  const [logged] = await log.query({});
  return { ended, records: log.records, logged, calls: host.tracker.totalExecuted };
}

test.each([
  [read('test://a'), 'resources/read test://a', 5, []],
  [
    { method: 'prompts/get', params: { name: 'greet', arguments: { who: 'me' } } } as const,
    'prompts/get greet',
    4,
    ['who'],
  ],
])(
  'a read of a resource or prompt is logged, and is no tool call',
  async (request, tool, resultBytes, names) => {
    const { ended, records, logged, calls } = await ask(request);
    expect(ended).toBe(answers[request.method]);
    expect(records).toHaveLength(1);
    expect(Object.keys(records[0]?.parameters ?? {})).toEqual(names);
    expect(logged).toMatchObject({ server: 'a', tool, source: 'gateway', resultBytes });
    expect(logged).toMatchObject({ status: 'success', durationMs: 40, attempts: 1, error: null });
    expect(calls).toBe(0);
  },
);

test.each([
  [new HostError('invalid_params', 'No such thing.'), 'error', 'invalid_params'],
  [new HostError('timeout', 'Too late.'), 'timeout', 'timeout'],
  [new Error('broken'), 'error', 'tool_failed'],
])('a read that fails is logged with its reason: %s', async (error, status, code) => {
  const { ended, logged } = await ask(read('test://a'), error);
  expect(ended).toBe(error);
  expect(logged).toMatchObject({ status, error: { code, message: error.message } });
});

test.each([
  'resources/list',
  'resources/templates/list',
  'prompts/list',
  'completion/complete',
] as const)('%s is not logged', async (method) => {
  expect((await ask({ method, params: {} })).records).toEqual([]);
});

test('a long address is cut', async () => {
  const { logged } = await ask(read(`test://${'x'.repeat(10_000)}`));
  expect(logged?.tool.length).toBeLessThan(400);
});
