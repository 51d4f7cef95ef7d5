import { expect, test } from 'vitest';
import { localServer } from '../testing/local-server.ts';
import { memoryHost } from '../testing/memory-host.ts';
import { MemoryNotes } from '../testing/memory-notes.ts';
import { openToolContext } from './ai-tool-context.ts';

const { signal } = new AbortController();
const user = { source: 'ai-autonomous', sessionId: 's' } as const;
const bound = '---\nmcp:\n  sections:\n    - heading: "# A"\n      server: a\n---\n# A\n\n# B\n';

async function open(text = '', servers = [localServer('a'), localServer('b')]) {
  const memory = await memoryHost(servers);
  const ports = { host: memory.host, notes: new MemoryNotes({ 'Note.md': text }) };
  return {
    memory,
    context: (line?: number) =>
      openToolContext(
        { ...user, ...(line !== undefined && { place: { path: 'Note.md', line } }) },
        ports,
        signal,
      ),
    [Symbol.asyncDispose]: () => memory[Symbol.asyncDispose](),
  };
}

test('has the tools of all enabled servers, which it starts', async () => {
  await using fixture = await open('', [
    localServer('a'),
    localServer('b'),
    localServer('off', { enabled: false }),
  ]);
  const context = await fixture.context();
  expect(context).toMatchObject({
    tools: [
      { serverId: 'a', serverName: 'a', toolName: 'echo', inputSchema: { type: 'object' } },
      { serverName: 'b' },
    ],
    enabledServers: ['a', 'b'],
    problems: [],
  });
  expect(context).not.toHaveProperty('sectionBinding');
});

test('in a bound section has that server alone, and refuses every other', async () => {
  await using fixture = await open(bound);
  const context = await fixture.context(7);
  expect(context).toMatchObject({
    tools: [{ serverName: 'a' }],
    enabledServers: ['a'],
    sectionBinding: 'a',
  });
  expect(await context.executeTool('a', 'echo', { text: 'hi' })).toMatchObject({
    status: 'success',
    result: { content: 'hi' },
  });
  expect(await context.executeTool('b', 'echo', {})).toMatchObject({
    error: { code: 'section_forbids' },
  });
  expect((await fixture.context(9)).tools).toHaveLength(2);
});

test('where the binding is broken, or its server is off, has nothing and says why', async () => {
  await using broken = await open(bound, [localServer('b')]);
  const none = await broken.context(7);
  expect(none).toMatchObject({ tools: [], problems: [{ code: 'section_forbids' }] });
  expect(await none.executeTool('b', 'echo', {})).toMatchObject({
    error: { code: 'section_forbids' },
  });
  await using off = await open(bound, [localServer('a', { enabled: false }), localServer('b')]);
  expect(await off.context(7)).toMatchObject({
    tools: [],
    problems: [{ code: 'server_disabled' }],
  });
});

test('continues without a server that cannot be started', async () => {
  await using fixture = await open();
  fixture.memory.connector.behaviours.set('a', {
    list: () => Promise.reject(new Error('no tools today')),
  });
  const context = await fixture.context();
  expect(context.tools).toMatchObject([{ serverName: 'b' }]);
  expect(context.problems).toHaveLength(1);
});

test('puts what is known of the caller into the log', async () => {
  await using fixture = await open('text');
  const context = await fixture.context(1);
  await context.executeTool(
    'a',
    'echo',
    { text: 'x' },
    {
      id: 'call-1',
      round: { conversation: 'c', number: 2, tokens: { input: 3, output: 4 } },
      approve: async () => 'unasked',
    },
  );
  expect(fixture.memory.log.records).toMatchObject([
    {
      id: 'call-1',
      source: 'ai-autonomous',
      note: 'Note.md',
      line: 1,
      conversation: 'c',
      round: 2,
      tokens: { input: 3, output: 4 },
    },
  ]);
  expect(fixture.memory.log.records[0]).not.toHaveProperty('approval');
});
