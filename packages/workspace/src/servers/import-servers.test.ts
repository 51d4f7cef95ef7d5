import { openTrust, type ServerConfig } from '@errand/host';
import { createMemoryTrustStore, localServer, memoryHost } from '@errand/host/testing';
import { expect, test } from 'vitest';
import {
  describeOrigin,
  findImportable,
  planImport,
  readImportable,
  storeImport,
} from './import-servers.ts';

async function openFixture(...servers: readonly ServerConfig[]) {
  const trust = await openTrust(createMemoryTrustStore());
  const fixture = await memoryHost(servers, {}, { trust });
  const kept = new Map<string, string>();
  const secrets = {
    names: async () => [...kept.keys()],
    get: async (name: string) => kept.get(name),
    set: async (name: string, value: string | undefined) => {
      if (value === undefined) kept.delete(name);
      else kept.set(name, value);
    },
  };
  return Object.assign(fixture, { trust, secrets, kept, folder: '/vault' });
}

const source = { os: 'linux' };
const text = JSON.stringify({
  mcpServers: {
    one: { command: 'serve', env: { API_KEY: 'swordfish', LANG: 'en' } },
    two: { command: 'serve', args: ['two'], env: { API_KEY: 'haddock' } },
  },
});

test('shows what a server starts without the values of its secrets', async () => {
  await using fixture = await openFixture();
  const { servers } = await readImportable(text, source, fixture);
  expect(servers).toMatchObject([
    { entry: { name: 'one', enabled: false }, isEnabledThere: true, secretFields: ['API_KEY'] },
    { entry: { name: 'two' } },
  ]);
  expect(servers[0]?.does.join('\n')).toMatch(/runs serve/);
  expect(JSON.stringify(servers.map(({ does }) => does))).not.toMatch(/swordfish|haddock/);
});

test('stores servers with references, and each secret under a name of its own', async () => {
  await using fixture = await openFixture();
  const { servers } = await readImportable(text, source, fixture);
  const planned = await planImport(servers, fixture, ({ entry }) => entry.name === 'two');
  expect(fixture.kept.size).toBe(0);
  await storeImport(planned, fixture);
  expect(fixture.kept).toEqual(new Map([['one-api-key', 'swordfish']]));
  const [one, two] = fixture.host.servers.list();
  expect(one?.localConfig?.env?.API_KEY).toBe('$' + '{secret:one-api-key}');
  expect(two?.localConfig?.env?.API_KEY).toBe('haddock');
  expect(fixture.trust.verdict(one as ServerConfig)).toBe('trusted');
});

test('an import that is no agreement leaves the servers unapproved', async () => {
  await using fixture = await openFixture();
  const { servers } = await readImportable(text, source, fixture);
  await storeImport(await planImport(servers, fixture), fixture, { isAgreed: false });
  for (const server of fixture.host.servers.list())
    expect(fixture.trust.verdict(server)).toBe('new');
});

test('recognises a stored server by what it starts, whatever its name, secrets and rules', async () => {
  await using fixture = await openFixture();
  const { servers } = await readImportable(text, source, fixture);
  await storeImport(await planImport(servers.slice(0, 1), fixture), fixture);
  const saved = await fixture.settings.save((all) => ({
    ...all,
    mcpServers: all.mcpServers.map((server) => ({ ...server, name: 'mine', approval: 'allow' })),
  }));
  fixture.host.servers.apply(saved);
  const again = await readImportable(text, source, fixture);
  expect(again.servers.map(({ sameAs }) => sameAs)).toEqual(['mine', undefined]);
  const found = again.servers.map(({ entry, ...rest }) => ({ ...rest, server: entry }));
  const listed = { servers: found, problems: [], lastUpdated: 0, ttl: 0 };
  const discovery = { list: async () => listed, refresh: () => {} };
  expect((await findImportable(discovery, fixture)).servers).toMatchObject([
    { entry: { name: 'two' } },
  ]);
});

test('the same text can be imported again after a change', async () => {
  await using fixture = await openFixture(localServer('other'));
  const first = await readImportable(text, source, fixture);
  await storeImport(await planImport(first.servers, fixture), fixture);
  const other = text.replaceAll('"serve"', '"serve2"');
  const second = await readImportable(other, source, fixture);
  await storeImport(await planImport(second.servers, fixture), fixture);
  expect(fixture.host.servers.list().map(({ name }) => name)).toEqual([
    'other',
    'one',
    'two',
    'one-2',
    'two-2',
  ]);
});

test('a name that is taken between reading and storing is changed, and nothing is replaced', async () => {
  await using fixture = await openFixture();
  const first = await readImportable(text, source, fixture);
  const second = await readImportable(text.replaceAll('"serve"', '"serve2"'), source, fixture);
  for (const { servers } of [first, second]) {
    await storeImport(await planImport(servers, fixture), fixture);
  }
  expect(
    fixture.host.servers.list().map((server) => [server.name, server.localConfig?.command]),
  ).toEqual([
    ['one', 'serve'],
    ['two', 'serve'],
    ['one-2', 'serve2'],
    ['two-2', 'serve2'],
  ]);
});

test("another program's question is not answered by a secret that is set", async () => {
  await using fixture = await openFixture();
  fixture.kept.set('token', 'swordfish');
  const asking = JSON.stringify({
    inputs: [{ id: 'token', type: 'promptString', description: 'Your token' }],
    servers: { crm: { command: 'crm', env: { TOKEN: '$' + '{input:token}' } } },
  });
  const { servers } = await readImportable(asking, { ...source, program: 'vscode' }, fixture);
  expect(servers[0]?.entry.localConfig?.env).toEqual({ TOKEN: '$' + '{secret:crm-token}' });
});

test('names the program and the file, and says what came with the vault', () => {
  const origin = { program: 'claude-code', file: '.mcp.json', name: 'a' } as const;
  expect(describeOrigin(origin)).toBe('Claude Code (.mcp.json)');
  expect(describeOrigin({ ...origin, program: 'errand', isFromVault: true })).toBe(
    'another vault (.mcp.json), which came with this vault',
  );
});
