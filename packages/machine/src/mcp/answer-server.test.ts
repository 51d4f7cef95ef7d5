import { pathToFileURL } from 'node:url';
import type {
  Caller,
  ElicitAnswer,
  ElicitQuestion,
  Notice,
  SampleRequest,
  Sampler,
} from '@errand/host';
import { expect, test } from 'vitest';
import { ConnectionBench, callText, soon } from '../testing/connection-bench.ts';
import type { McpClientContext } from './mcp-client-context.ts';

const eras = ['2025-11-25', '2026-07-28'];

const schema = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer', default: 3 } },
};

test.each(eras)(
  'passes a question of a %s server to the person and fills in defaults',
  async (version) => {
    const asked: ElicitQuestion[] = [];
    const elicitor: McpClientContext['elicitor'] = {
      elicit: async (question) => {
        asked.push(question);
        return { action: 'accept', content: { city: 'Bern' } };
      },
    };
    const answer = await ask({ elicitor }, version, 'elicitation/create', {
      message: 'Where to?',
      requestedSchema: schema,
    });
    expect(answer).toEqual({ action: 'accept', content: { city: 'Bern', days: 3 } });
    expect(asked).toEqual([{ server: 'scripted', kind: 'form', message: 'Where to?', schema }]);
  },
);

test.each(eras)('declines when nobody can be asked (%s)', async (version) => {
  const elicitor: McpClientContext['elicitor'] = { elicit: async () => ({ action: 'decline' }) };
  const params = { message: 'Anybody?', requestedSchema: schema };
  expect(await ask({ elicitor }, version, 'elicitation/create', params)).toEqual({
    action: 'decline',
  });
});

test('asks a person so many questions of one server at once, and refuses the others', async () => {
  const person = Promise.withResolvers<ElicitAnswer>();
  let asked = 0;
  const elicitor: McpClientContext['elicitor'] = {
    elicit: () => {
      asked += 1;
      return person.promise;
    },
  };
  await using bench = new ConnectionBench({ elicitor });
  const connection = await bench.local();
  const params = { message: 'Where to?', requestedSchema: schema };
  const question = { method: 'elicitation/create', params };
  const refused: string[] = [];
  const calls = Array.from({ length: 20 }, async () => {
    const answer = await callText(connection, 'ask', question);
    if (answer.includes('wait for an answer already')) refused.push(answer);
    if (refused.length === 4) person.resolve({ action: 'decline' });
  });
  await Promise.all(calls);
  expect({ asked, refused: refused.length }).toEqual({ asked: 16, refused: 4 });
  expect(await callText(connection, 'ask', question)).toContain('decline');
});

test('shows the address that a server wants to be opened', async () => {
  const asked: ElicitQuestion[] = [];
  const elicitor: McpClientContext['elicitor'] = {
    elicit: async (question) => {
      asked.push(question);
      return { action: 'accept' };
    },
  };
  const params = {
    mode: 'url',
    message: 'Please agree.',
    url: 'https://example.com/agree',
    elicitationId: '1',
  };
  await ask({ elicitor }, '2025-11-25', 'elicitation/create', params);
  expect(asked).toMatchObject([{ kind: 'url', url: 'https://example.com/agree' }]);
});

test.each([
  'javascript:alert(1)',
  'file:///etc/passwd',
  'smb://evil.example/share',
  'http://evil.example/',
  'https://login.example@evil.example/',
])('declines to open %s, asks nobody, and tells the person', async (url) => {
  const asked: ElicitQuestion[] = [];
  const elicitor: McpClientContext['elicitor'] = {
    elicit: async (question) => {
      asked.push(question);
      return { action: 'accept' };
    },
  };
  const notices: Notice[] = [];
  const notifier = { notify: (notice: Notice) => void notices.push(notice) };
  const params = { mode: 'url', message: 'Please agree.', url, elicitationId: '1' };
  const answer = await ask({ elicitor, notifier }, '2025-11-25', 'elicitation/create', params);
  expect(answer).toEqual({ action: 'decline' });
  expect(asked).toEqual([]);
  expect(notices).toMatchObject([
    { level: 'warning', server: 'scripted', message: expect.stringContaining(url) },
  ]);
});

test.each(eras)(
  'lets the model of a caller answer for a %s server, without tools',
  async (version) => {
    const requests: SampleRequest[] = [];
    const sampler: Sampler = {
      sample: async (request) => {
        requests.push(request);
        return { text: 'Forty-two.', model: 'deep-thought' };
      },
    };
    const message = { role: 'user', content: { type: 'text', text: 'What is it?' } };
    const params = { messages: [message], maxTokens: 10, systemPrompt: 'Be brief.' };
    const caller = { owner: 'a client', sampler };
    const answer = await ask(
      { canAskCallers: true },
      version,
      'sampling/createMessage',
      params,
      caller,
    );
    expect(answer).toMatchObject({
      role: 'assistant',
      model: 'deep-thought',
      content: { text: 'Forty-two.' },
    });
    expect(requests).toEqual([
      {
        server: 'scripted',
        messages: [{ role: 'user', content: [message.content] }],
        maxTokens: 10,
        systemPrompt: 'Be brief.',
      },
    ]);
  },
);

test.each([
  ['the caller refuses', { owner: 'a client', sampler: { sample: async () => undefined } }],
  ['the caller has no model', { owner: 'a client' }],
  ['there is no caller who can be asked', undefined],
])('declines to ask a model when %s', async (_why, caller) => {
  const params = { messages: [], maxTokens: 10 };
  const host = { canAskCallers: true };
  const answer = await ask(host, '2025-11-25', 'sampling/createMessage', params, caller);
  expect(answer).toMatchObject({ message: 'The user does not let this server ask a model.' });
});

test.each(eras)("tells a %s server that the vault's folder is its root", async (version) => {
  await using bench = new ConnectionBench();
  const connection = await bench.local({ protocolVersion: version });
  const { roots } = JSON.parse(await callText(connection, 'ask', { method: 'roots/list' }));
  expect(roots).toMatchObject([{ uri: pathToFileURL(bench.folder).href }]);
});

test('says that nobody can be asked when nobody can', async () => {
  const params = { message: 'Anybody?', requestedSchema: schema };
  const answer = await ask({}, '2025-11-25', 'elicitation/create', params);
  expect(answer).toMatchObject({ code: -32601 });
});

/** Lets a scripted server ask something, and returns what it was told. */
async function ask(
  host: Partial<McpClientContext>,
  protocolVersion: string,
  method: string,
  params: Readonly<Record<string, unknown>>,
  caller?: Caller,
): Promise<unknown> {
  await using bench = new ConnectionBench(host);
  const connection = await bench.local({ protocolVersion });
  const call = { tool: 'ask', arguments: { method, params } };
  const { content } = await connection.callTool(call, {
    signal: soon(),
    ...(caller && { caller }),
  });
  return JSON.parse(String(content[0]?.text));
}
