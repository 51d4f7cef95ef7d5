import { openToolContext } from '@errand/host';
import { localServer, textResult } from '@errand/host/testing';
import { expect, test } from 'vitest';
import { person } from '../testing/person.ts';
import { call, lastSent, openTurnFixture, readTool } from '../testing/turn-fixture.ts';
import { toolBudget } from '../tools/choose-tools.ts';
import { converse } from './converse.ts';

test('offers no tools of a disabled server, nor of one disabled during the turn', async () => {
  await using fixture = await openTurnFixture({
    script: [{ calls: [call('a__read')] }, () => ({ text: ['Well.'] })],
    servers: [localServer('a'), localServer('b'), localServer('off', { enabled: false })],
    behaviours: {
      a: {
        tools: [readTool('read')],
        call: async () => {
          await fixture.memory.host.servers.setEnabled('b', false);
          return textResult('ok');
        },
      },
    },
  });
  await fixture.ask();
  expect(fixture.model.requests.map(({ toolNames }) => toolNames)).toEqual([
    ['a__read', 'b__echo'],
    ['a__read'],
  ]);
});

test('tells a model that names a tool of a disabled server so, and the person how to enable it', async () => {
  await using fixture = await openTurnFixture({
    script: [{ calls: [call('off__read')] }, { calls: [call('off__read')] }, { text: ['Well.'] }],
    servers: [localServer('a'), localServer('off', { enabled: false })],
    behaviours: { a: { tools: [readTool('read')] } },
  });
  expect(await fixture.ask()).toMatchObject({ state: 'answered' });
  expect(fixture.outcomes()).toMatchObject([
    { error: { code: 'server_disabled', message: 'Server off is disabled' } },
    { error: { code: 'server_disabled' } },
  ]);
  const [asked] = fixture.events.filter(({ kind }) => kind === 'call-asked');
  expect(asked).toMatchObject({ call: { server: 'off', tool: 'read' } });
  expect(lastSent(fixture)).toContain('Server off is disabled');
  const notices = fixture.events.filter(({ kind }) => kind === 'notice-given');
  expect(notices).toEqual([
    expect.objectContaining({ advice: [{ kind: 'enable-server', server: 'off' }] }),
  ]);
});

test('reports a server that dies between rounds to the model and continues the turn', async () => {
  await using fixture = await openTurnFixture({
    script: [
      { calls: [call('b__echo', { text: 'x' })] },
      () => {
        const connection = fixture.memory.connector.latest('a');
        fixture.memory.connector.behaviours.set('a', {
          connect: async () => {
            throw new Error('gone for good');
          },
        });
        connection.crash();
        return { calls: [call('a__read')] };
      },
      { text: ['Then without it.'] },
    ],
    servers: [localServer('a', { timeout: 1000 }), localServer('b')],
    behaviours: { a: { tools: [readTool('read')] } },
  });
  const end = await fixture.ask();
  expect(end).toMatchObject({ state: 'answered', text: 'Then without it.' });
  expect(fixture.outcomes()[1]).toMatchObject({ error: { code: 'server_unavailable' } });
  expect(lastSent(fixture)).toMatch(/Server \\"a\\"/);
});

test('reports a server that cannot be started once, and offers the others', async () => {
  await using fixture = await openTurnFixture({
    script: [{ calls: [call('b__echo', { text: 'x' })] }, { text: ['Well.'] }],
    servers: [localServer('a'), localServer('b')],
    behaviours: { a: { list: () => Promise.reject(new Error('no tools today')) } },
  });
  expect(await fixture.ask({ approver: person(true) })).toMatchObject({ state: 'answered' });
  expect(fixture.model.requests[0]?.toolNames).toEqual(['b__echo']);
  const notices = fixture.events.filter(({ kind }) => kind === 'notice-given');
  expect(notices).toHaveLength(1);
});

test('offers the tools of the section first, and the rest of 300 tools by search, within the budget', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `server-${index}`);
  const tools = Array.from({ length: 15 }, (_, index) =>
    readTool(`tool.${index}/${'long-name-'.repeat(6)}${index}`, {
      description: index === 7 ? 'Paints a fence green.' : 'Does something useful.',
    }),
  );
  await using fixture = await openTurnFixture({
    script: [
      { calls: [call('find_tools', { query: 'paint green', server: 'server-3' })] },
      ({ toolNames }) => {
        const found = toolNames.find((name) => name.startsWith('server-3__')) ?? '';
        return { calls: [call(found)] };
      },
      { text: ['Painted.'] },
    ],
    servers: names.map((name) => localServer(name)),
    behaviours: Object.fromEntries(names.map((name) => [name, { tools }])),
  });
  const end = await fixture.ask({ preferredServers: ['server-9'] });
  expect(end).toMatchObject({ state: 'answered', text: 'Painted.', calls: 1 });
  expect(fixture.outcomes()).toMatchObject([{ status: 'success' }]);
  const [first, second] = fixture.model.requests.map(({ toolNames }) => toolNames);
  expect(first).toHaveLength(16);
  expect(first?.filter((name) => name.startsWith('server-9__'))).toHaveLength(15);
  expect(second).toHaveLength(17);
  for (const { toolNames, body } of fixture.model.requests) {
    expect(new Set(toolNames).size).toBe(toolNames.length);
    for (const name of toolNames) expect(name).toMatch(/^[A-Za-z_][\w-]{0,63}$/);
    expect(toolNames.length).toBeLessThanOrEqual(toolBudget.tools + 1);
    expect(JSON.stringify(body.tools).length).toBeLessThan(toolBudget.characters + 5000);
  }
});

test('truncates a long answer for the model and keeps it whole beside the log', async () => {
  const long = 'x'.repeat(100_000);
  await using fixture = await openTurnFixture({
    script: [{ calls: [call('a__read')] }, { text: ['Long.'] }],
    servers: [localServer('a')],
    behaviours: { a: { tools: [readTool('read')], call: async () => textResult(long) } },
  });
  await fixture.ask();
  const [[id, kept] = []] = fixture.memory.log.results;
  expect(kept).toBe(long);
  expect(lastSent(fixture)).toContain(`.errand/log/results/${id}`);
  expect(lastSent(fixture).length).toBeLessThan(30_000);
});

test('logs every request and call with conversation, note, line, tokens and time', async () => {
  await using fixture = await openTurnFixture({
    script: [
      { calls: [call('a__read')], tokens: { input: 100, output: 20 } },
      { text: ['Well.'], tokens: { input: 150, output: 5 } },
    ],
    servers: [localServer('a')],
    behaviours: { a: { tools: [readTool('read')] } },
    notes: { 'Trip.md': '#User : q' },
  });
  const place = { path: 'Trip.md', line: 1 };
  const ports = await fixture.ports({
    tools: (signal) =>
      openToolContext(
        { source: 'ai-autonomous', sessionId: 's', place },
        { host: fixture.memory.host, notes: fixture.notes },
        signal,
      ),
  });
  const end = await converse(
    { conversation: 'talk', history: [{ role: 'user', text: 'q' }], place: () => place },
    ports,
    { signal: new AbortController().signal, onEvent: () => {} },
  );
  expect(end.tokens).toEqual({ input: 250, output: 25 });
  const common = { source: 'ai-autonomous', conversation: 'talk', note: 'Trip.md', line: 1 };
  expect(fixture.memory.log.records).toMatchObject([
    { ...common, server: 'Claude', tool: 'scripted', round: 1, tokens: { input: 100, output: 20 } },
    { ...common, server: 'a', tool: 'read', round: 1, tokens: { input: 100, output: 20 } },
    { ...common, server: 'Claude', tool: 'scripted', round: 2, tokens: { input: 150, output: 5 } },
  ]);
  for (const { submittedAt, completedAt } of fixture.memory.log.records) {
    expect(completedAt).toBeGreaterThanOrEqual(submittedAt);
  }
});

test('a conversation without servers is offered no tools', async () => {
  await using fixture = await openTurnFixture({ script: [{ text: ['Hello.'] }] });
  expect(await fixture.ask()).toMatchObject({ state: 'answered', text: 'Hello.' });
  expect(fixture.model.requests[0]?.toolNames).toEqual([]);
});
