import type { ContentChange, ServerContent, ServerFeatures } from '@errand/host';
import { HostError } from '@errand/host';
import { expect, test } from 'vitest';
import { fitsTemplate } from './route-content.ts';
import { ask, openTestGateway, type TestGateway } from './testing/open-test-gateway.ts';

interface Lists {
  readonly resources?: readonly unknown[];
  readonly resourceTemplates?: readonly object[];
  readonly prompts?: readonly object[];
}

/** A server of resources and prompts in memory, which notes what it was asked. */
function contentServer(lists: Lists, features: ServerFeatures = all) {
  const asked: unknown[] = [];
  const listeners: ((change: ContentChange) => void)[] = [];
  const followed = new Set<string>();
  let isSilent = false;
  const content: ServerContent = {
    features,
    request: async ({ method, params }, signal) => {
      const { _meta, ...rest } = params;
      asked.push([method, rest]);
      if (isSilent)
        await new Promise((_resolve, reject) => signal.addEventListener('abort', reject));
      if (method === 'resources/list') return { resources: lists.resources ?? [] };
      if (method === 'resources/templates/list')
        return { resourceTemplates: lists.resourceTemplates };
      if (method === 'prompts/list') return { prompts: lists.prompts };
      if (method === 'resources/read' && params.uri !== 'x:gone') {
        return { contents: [{ uri: params.uri, text: 'read' }] };
      }
      if (method === 'prompts/get')
        return { messages: [{ role: 'user', content: { type: 'text', text: 'p' } }] };
      if (method === 'completion/complete') return { completion: { values: ['one'] } };
      throw new HostError('invalid_params', 'There is no such thing.');
    },
    subscribe: async (uri) => {
      followed.add(uri);
      return { [Symbol.dispose]: () => followed.delete(uri) };
    },
    onChanged: (listener) => void listeners.push(listener),
  };
  const change = (changed: ContentChange) => {
    for (const listener of listeners) listener(changed);
  };
  const silence = () => {
    isSilent = true;
  };
  return { content, asked, followed, change, silence };
}

const all = { resources: true, subscriptions: true, prompts: true, completions: true };
const note = { uri: 'note:///a.md', name: 'a' };
const greet = { name: 'greet', arguments: [{ name: 'who' }] };

async function result(test: TestGateway, method: string, params = {}, era?: 'legacy' | 'modern') {
  return (await ask(test, method, params, era)).result as Record<string, unknown>;
}

test('lists resources, templates and prompts of all servers under the names of their servers', async () => {
  const a = contentServer({ resources: [note, 7, { uri: 'no-name:' }], prompts: [greet] });
  const b = contentServer({
    resources: [note],
    resourceTemplates: [{ uriTemplate: 'b:{x}', name: 'x' }],
  });
  await using test = await openTestGateway({ a, b, tools: {} });
  const _meta = { 'errand/hops': 1 };
  expect(await result(test, 'resources/list')).toEqual({
    resources: [
      { ...note, name: 'a__a', _meta },
      { uri: 'errand:resource/b/note%3A%2F%2F%2Fa.md', name: 'b__a', _meta },
    ],
  });
  expect(await result(test, 'resources/templates/list')).toEqual({
    resourceTemplates: [{ uriTemplate: 'b:{x}', name: 'b__x', _meta }],
  });
  expect(await result(test, 'prompts/list', {}, 'modern')).toMatchObject({
    resultType: 'complete',
    prompts: [{ ...greet, name: 'a__greet', _meta }],
    ttlMs: 0,
    cacheScope: 'private',
  });
});

test('asks no server that has only tools, and no other one than an address belongs to', async () => {
  const a = contentServer({ resources: [note] }, { resources: true });
  const b = contentServer({ resourceTemplates: [{ uriTemplate: 'b:{x}', name: 'x' }] });
  await using test = await openTestGateway({ a, b });
  const read = (uri: string) => result(test, 'resources/read', { uri });
  expect(await read(note.uri)).toMatchObject({ contents: [{ uri: note.uri, text: 'read' }] });
  expect(await read('b:17')).toMatchObject({ contents: [{ uri: 'b:17' }] });
  expect(await read('note:///unlisted')).toMatchObject({ contents: [{ uri: 'note:///unlisted' }] });
  const named = 'errand:resource/b/note%3A%2F%2F%2Fa.md';
  expect(await read(named)).toMatchObject({ contents: [{ uri: named }] });
  const reads = (asked: unknown[]) =>
    asked.filter((each) => String(each).startsWith('resources/read'));
  expect(reads(a.asked)).toEqual([
    ['resources/read', { uri: note.uri }],
    ['resources/read', { uri: 'note:///unlisted' }],
  ]);
  expect(reads(b.asked)).toEqual([
    ['resources/read', { uri: 'b:17' }],
    ['resources/read', { uri: note.uri }],
  ]);
  expect(test.memory.log.records.map(({ server, tool }) => `${server} ${tool}`)).toEqual([
    `a resources/read ${note.uri}`,
    'b resources/read b:17',
    'a resources/read note:///unlisted',
    `b resources/read ${note.uri}`,
  ]);
  expect(await ask(test, 'resources/read', { uri: 'other:1' })).toMatchObject({
    error: { code: -32002 },
  });
  expect(await ask(test, 'resources/read', { uri: 'other:1' }, 'modern')).toMatchObject({
    error: { code: -32602 },
  });
  expect(a.asked).not.toContainEqual(['prompts/list', {}]);
});

test('passes prompts and completion on under the names that the server knows', async () => {
  const a = contentServer({ prompts: [greet] });
  await using test = await openTestGateway({ a });
  const params = { name: 'a__greet', arguments: { who: 'you' } };
  expect(await result(test, 'prompts/get', params, 'modern')).toMatchObject({
    resultType: 'complete',
    messages: [{ role: 'user' }],
  });
  const ref = { type: 'ref/prompt', name: 'a__greet' };
  const argument = { name: 'who', value: 'y' };
  expect(await result(test, 'completion/complete', { ref, argument })).toEqual({
    completion: { values: ['one'] },
  });
  expect(a.asked).toEqual([
    ['prompts/get', { name: 'greet', arguments: { who: 'you' } }],
    ['completion/complete', { ref: { type: 'ref/prompt', name: 'greet' }, argument }],
  ]);
  expect(await ask(test, 'prompts/get', { name: 'b__greet' })).toMatchObject({
    error: { code: -32602 },
  });
  expect(await ask(test, 'resources/read', { uri: 'x:gone' })).toMatchObject({
    error: { code: -32002, data: { 'errand/code': 'invalid_params' } },
  });
});

test('a server that does not answer keeps what it listed, and holds nobody up twice', async () => {
  const a = contentServer({ prompts: [greet] });
  const b = contentServer({ prompts: [greet] });
  await using test = await openTestGateway({ a, b });
  const names = async () =>
    ((await result(test, 'prompts/list')).prompts as { name: string }[]).map(({ name }) => name);
  expect(await names()).toEqual(['a__greet', 'b__greet']);
  a.silence();
  expect(await names()).toEqual(['a__greet', 'b__greet']);
  const asked = a.asked.length;
  expect(await names()).toEqual(['a__greet', 'b__greet']);
  expect(a.asked).toHaveLength(asked);
});

test('tells clients of changed lists, and of resources that they follow, also after a restart', async () => {
  const a = contentServer({ resources: [note], prompts: [greet] });
  await using test = await openTestGateway({ a });
  const changed = new Promise<string>((resolve) => test.gateway.onListChanged(resolve));
  a.change({ kind: 'prompts' });
  expect(await changed).toBe('prompts');

  const session = await test.initialize();
  const stream = await fetch(test.url, { headers: { ...session, accept: 'text/event-stream' } });
  const params = { uri: note.uri };
  const subscribe = { jsonrpc: '2.0', id: 5, method: 'resources/subscribe', params };
  expect(await (await test.post(subscribe, session)).json()).toMatchObject({ result: {} });
  expect([...a.followed]).toEqual([note.uri]);
  const lines = readLines(stream);
  a.change({ kind: 'resource', uri: 'note:///other.md' });
  a.change({ kind: 'resource', uri: note.uri });
  const updated = { method: 'notifications/resources/updated', params: { uri: note.uri } };
  expect(await lines.next()).toMatchObject(updated);

  a.followed.clear();
  test.memory.connector.latest('a').crash();
  expect(await lines.next()).toMatchObject(updated);
  expect([...a.followed]).toEqual([note.uri]);
  await test.post({ ...subscribe, method: 'resources/unsubscribe' }, session);
  expect([...a.followed]).toEqual([]);
});

test.each([
  ['b:{x}', 'b:17', true],
  ['b:{x}/end', 'b:17/end', true],
  ['b:{x}/end', 'b:/en', false],
  ['b:/{x}/m/{y}', 'b:/1/m/2', true],
  ['b:/{x}/m/{y}', 'b:/1/2', false],
  ['{+any}', 'b:17', false],
  ['b:17', 'b:17', true],
])('the template %s fits %s: %s', (template, uri, expected) => {
  expect(fitsTemplate(template, uri)).toBe(expected);
});

/** The messages of an event stream. */
function readLines(response: Response): { next(): Promise<unknown> } {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    async next() {
      for (;;) {
        // The tools of a server that restarts change too.
        const found = /^data: (.+resources.+)\n/m.exec(text);
        if (found?.[1] !== undefined) {
          text = text.slice(found.index + found[0].length);
          return JSON.parse(found[1]);
        }
        const { value, done } = (await reader?.read()) ?? { done: true };
        if (done) return undefined;
        text += value;
      }
    },
  };
}
