import { ScriptedHttpServer, scriptedServerConfig } from '@errand/machine/testing';
import { emptyDraft, joinCommand, type ServerDraft } from '@errand/workspace/servers';
import { expect, test } from 'vitest';
import type { Server, ServerDetails, TrustState } from '../../contract.ts';
import { openTestWorkbench } from '../testing/test-workbench.ts';

const scripted = scriptedServerConfig();
const { command = '', args = [] } = scripted.localConfig ?? {};
const working: Partial<ServerDraft> = {
  kind: 'command',
  name: 'mine',
  command: joinCommand([command, ...args]),
};

test('adds a server by command: stored disabled, tested step by step, then enabled', async () => {
  await using workbench = await openTestWorkbench();
  const page = await workbench.open();
  using events = await page.follow();
  const added = await page.send<Server>('POST', '/servers', { draft: working });
  expect(added).toMatchObject({ name: 'mine', enabled: false, trust: 'trusted' });
  const tested = await events.until(
    'server-changed',
    ({ server }) => server.test?.isRunning === false,
  );
  expect(tested.server).toMatchObject({
    enabled: true,
    test: {
      steps: [{ name: 'start' }, { name: 'handshake' }, { name: 'tools' }, { name: 'ping' }],
      error: null,
    },
  });
  const stored = JSON.parse(await workbench.readNote('.errand/settings.json'));
  expect(stored.mcpServers).toMatchObject([{ name: 'mine', enabled: true }]);
  expect(await page.get<{ servers: readonly Server[] }>('/servers')).toMatchObject({
    servers: [{ enabled: true }],
  });
});

test('keeps a server that does not work disabled, with the step, the reason and its last output', async () => {
  await using workbench = await openTestWorkbench();
  const page = await workbench.open();
  using events = await page.follow();
  const broken = scriptedServerConfig({ onStart: 'exit', stderr: 'no cheese\n' }).localConfig;
  const line = joinCommand([broken?.command ?? '', ...(broken?.args ?? [])]);
  await page.send('POST', '/servers', { draft: { ...working, command: line } });
  const { server } = await events.until(
    'server-changed',
    ({ server }) => server.test?.isRunning === false,
  );
  expect(server).toMatchObject({
    enabled: false,
    test: {
      error: { code: 'server_unavailable', lastWords: expect.stringContaining('no cheese') },
    },
  });
  expect(server.test?.steps.at(-1)).toMatchObject({ isDone: false });
});

test('enables a fixed server when that was requested', async () => {
  const broken = scriptedServerConfig({ onStart: 'exit' }, { enabled: false });
  await using workbench = await openTestWorkbench({ settings: { mcpServers: [broken] } });
  const page = await workbench.open();
  using events = await page.follow();
  await page.send('PUT', `/servers/${broken.id}`, { draft: working, enables: true });
  const { server } = await events.until(
    'server-changed',
    ({ server }) => server.test?.isRunning === false,
  );
  expect(server).toMatchObject({ enabled: true, test: { error: null } });
});

test('adds a server by URL, and stores one by image without testing it', async () => {
  await using remote = await new ScriptedHttpServer().start();
  await using workbench = await openTestWorkbench();
  const page = await workbench.open();
  using events = await page.follow();
  const url = { kind: 'url', name: 'remote', url: remote.url };
  await page.send('POST', '/servers', { draft: url });
  await events.until('server-changed', ({ server }) => server.enabled && server.name === 'remote');
  const image = {
    kind: 'image',
    name: 'weather',
    image: 'mcp/weather:1',
    imageTransport: 'http',
    inside: 'serve --port "80 80"',
    port: '8080',
    memory: '256m',
  };
  const { id } = await page.send<Server>('POST', '/servers', { draft: image, disabled: true });
  const details = await page.get<ServerDetails>(`/servers/${id}`);
  expect(details.draft).toEqual({ ...emptyDraft, ...image });
  expect(details.server).toMatchObject({ enabled: false, test: null });
  const stored = JSON.parse(await workbench.readNote('.errand/settings.json')).mcpServers[1];
  expect(stored.dockerConfig).toEqual({
    image: 'mcp/weather:1',
    containerName: 'errand-weather',
    command: ['serve', '--port', '80 80'],
    ports: { 8080: 0 },
    memory: '256m',
  });
});

test.each<[string, object, string]>([
  ['no name', { ...working, name: ' ' }, 'name'],
  ['a name that is a language', { ...working, name: 'python' }, 'name'],
  ['a name with spaces', { ...working, name: 'my server' }, 'name'],
  ['a name that is taken', { ...working, name: 'Scripted' }, 'name'],
  ['no command', { ...working, command: '' }, 'command'],
  ['an open quote', { ...working, command: 'npx "x' }, 'command'],
  ['a wrong address', { kind: 'url', name: 'a', url: 'ftp://x' }, 'url'],
  [
    'a wrong header',
    { kind: 'url', name: 'a', url: 'http://x', headers: [{ name: 'a b', value: 'x' }] },
    'headers',
  ],
  ['no port for http', { kind: 'image', name: 'a', image: 'x', imageTransport: 'http' }, 'port'],
  ['a wrong memory', { kind: 'image', name: 'a', image: 'x', memory: 'much' }, 'memory'],
  ['a wrong timeout', { ...working, timeout: '0.5' }, 'timeout'],
])('explains %s at its field and stores nothing', async (_, draft, field) => {
  await using workbench = await openTestWorkbench({ settings: { mcpServers: [scripted] } });
  const page = await workbench.open();
  const before = await workbench.readNote('.errand/settings.json');
  const { status, code, fields } = await page.fails('POST', '/servers', { draft });
  expect({ status, code }).toEqual({ status: 422, code: 'invalid_input' });
  const [[name = '', message = ''] = []] = Object.entries<string>(fields);
  expect(name).toBe(field);
  expect(message).toMatch(/^[A-Z"].*/);
  expect(await workbench.readNote('.errand/settings.json')).toBe(before);
});

const pasted = {
  claude: JSON.stringify({ mcpServers: { one: { command, args } } }),
  vscode: JSON.stringify({ servers: { one: { type: 'stdio', command, args } } }),
  codex: `[mcp_servers.one]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n`,
};

test.each(Object.entries(pasted))('reads and imports servers pasted from %s', async (_, text) => {
  await using workbench = await openTestWorkbench();
  const page = await workbench.open();
  using events = await page.follow();
  const does = expect.arrayContaining([expect.stringContaining('runs ')]);
  expect(await page.send('POST', '/servers/read', { text })).toMatchObject({
    servers: [{ name: 'one', originalName: 'one', does }],
    problems: [],
  });
  expect(await page.get<{ servers: readonly Server[] }>('/servers')).toEqual({ servers: [] });
  const { servers } = await page.send<{ servers: readonly Server[] }>('POST', '/servers/import', {
    text,
  });
  expect(servers).toMatchObject([{ name: 'one', enabled: false, trust: 'trusted' }]);
  await events.until('server-changed', ({ server }) => server.enabled);
});

test('says what is wrong with pasted text', async () => {
  await using workbench = await openTestWorkbench();
  const page = await workbench.open();
  for (const text of ['{', '[]', 'hello', '{"mcpServers": 3}']) {
    expect(await page.fails('POST', '/servers/read', { text })).toMatchObject({
      status: 422,
      code: 'settings_invalid',
    });
  }
  const body = { text: pasted.claude, names: ['two'] };
  expect(await page.fails('POST', '/servers/import', body)).toMatchObject({ status: 422 });
});

test('edits, disables, enables and removes a server', async () => {
  await using workbench = await openTestWorkbench({ settings: { mcpServers: [scripted] } });
  const page = await workbench.open();
  using events = await page.follow();
  const path = `/servers/${scripted.id}`;
  const { draft: stored } = await page.get<ServerDetails>(path);
  const draft = { ...stored, name: 'renamed', timeout: '5', approval: 'deny' };
  expect(await page.send<Server>('PUT', path, { draft })).toMatchObject({ name: 'renamed' });
  const [entry] = JSON.parse(await workbench.readNote('.errand/settings.json')).mcpServers;
  expect(entry).toMatchObject({ id: scripted.id, timeout: 5000, approval: 'deny', enabled: true });
  const off = await page.send<Server>('POST', `${path}/enabled`, { enabled: false });
  expect(off).toMatchObject({ enabled: false, connectionState: 'disconnected' });
  expect(await page.send<Server>('POST', `${path}/enabled`, { enabled: true })).toMatchObject({
    enabled: true,
  });
  await page.send('DELETE', path);
  await events.until('servers-changed', ({ servers }) => servers.length === 0);
  expect(await page.fails('GET', path)).toMatchObject({ status: 404, code: 'server_unknown' });
  expect(await page.fails('POST', `${path}/test`)).toMatchObject({ status: 404 });
});

test('a server that breaks shows reason, attempt and next try, is given up, and comes back', async () => {
  const broken = scriptedServerConfig(
    { onStart: 'exit', stderr: 'no cheese\n' },
    { name: 'broken' },
  );
  await using workbench = await openTestWorkbench({ settings: { mcpServers: [broken] } });
  const page = await workbench.open();
  using events = await page.follow();
  const path = `/servers/${broken.id}`;
  await page.send('POST', `${path}/try`);
  const retrying = await events.until(
    'server-changed',
    ({ server }) => server.retryState.nextRetryAt !== undefined,
  );
  expect(retrying.server).toMatchObject({
    connectionState: 'error',
    retryState: { isRetrying: true, backoffIntervals: [300, 300, 300] },
    reason: { code: 'server_unavailable' },
  });
  const given = await events.until('server-changed', ({ server }) => server.autoDisabled);
  expect(given.server).toMatchObject({ enabled: false, autoDisabledAt: expect.any(Number) });
  await events.until(
    'notice',
    ({ notice }) => notice.message === 'MCP server broken auto-disabled after 3 failures',
  );
  const details = await page.get<ServerDetails>(path);
  expect(details.lastWords).toContain('no cheese');
  await page.send('PUT', path, { draft: { ...working, name: 'broken' } });
  await page.send('POST', `${path}/enabled`, { enabled: true });
  await page.send('POST', `${path}/try`);
  const back = await events.until(
    'server-changed',
    ({ server }) => server.connectionState === 'connected',
  );
  expect(back.server).toMatchObject({ autoDisabled: false, retryState: { currentAttempt: 0 } });
  expect(back.server.reason).toBeUndefined();
  expect((await page.get<ServerDetails>(path)).identity).toMatchObject({
    name: expect.any(String),
  });
});

test('starts nothing that came with the vault before exactly what was shown is approved', async () => {
  await using workbench = await openTestWorkbench({
    settings: { mcpServers: [scripted] },
    strangers: ['scripted'],
  });
  const page = await workbench.open();
  using events = await page.follow();
  const path = `/servers/${scripted.id}`;
  const { pending } = await page.get<TrustState>('/trust');
  expect(pending).toMatchObject([
    {
      id: scripted.id,
      name: 'scripted',
      verdict: 'new',
      does: [
        expect.stringMatching(/^runs /),
        'in an empty folder outside the vault',
        'not sandboxed: runs with your rights',
      ],
    },
  ]);
  for (const [method, route] of [
    ['GET', '/tools'],
    ['POST', '/test'],
  ] as const) {
    const body = method === 'POST' ? {} : undefined;
    expect(await page.fails(method, path + route, body)).toMatchObject({
      status: 403,
      code: 'untrusted',
    });
  }
  const { draft } = await page.get<ServerDetails>(path);
  await page.send('PUT', path, { draft: { ...draft, timeout: '5' } });
  expect((await page.get<TrustState>('/trust')).pending).toHaveLength(1);
  const wrong = { servers: [{ id: scripted.id, seen: 'something else' }] };
  expect(await page.fails('POST', '/trust', wrong)).toMatchObject({ status: 409 });
  const servers = pending.map(({ id, seen }) => ({ id, seen }));
  expect(await page.send<TrustState>('POST', '/trust', { servers })).toEqual({ pending: [] });
  await events.until('trust-changed', ({ trust }) => trust.pending.length === 0);
  await events.until('server-changed', ({ server }) => server.connectionState === 'connected');
});
