import { expect, test } from 'vitest';
import type { LaunchFile } from '../launch-files.ts';
import type { ServerConfig } from '../settings.ts';
import { exampleServer } from '../testing/example-server.ts';
import { createMemoryTrustStore } from '../testing/memory-trust-store.ts';
import { openTrust } from './open-trust.ts';

const docker: ServerConfig = {
  ...exampleServer,
  deploymentType: 'managed',
  dockerConfig: {
    image: 'x:1',
    containerName: 'errand-x',
    ports: { '80': 0 },
    mounts: [{ source: '.', target: '/data' }],
  },
};
const remote: ServerConfig = {
  ...exampleServer,
  deploymentType: 'external',
  transport: 'http',
  httpConfig: { url: 'https://crm.example/mcp?key=hidden', headers: { A: 'b' } },
};

test('refuses an entry that came with the vault and advises to look at it', async () => {
  const trust = await openTrust(createMemoryTrustStore());
  const error = trust.mayStart(exampleServer);
  expect(trust.verdict(exampleServer)).toBe('new');
  expect(error).toMatchObject({
    code: 'untrusted',
    message:
      'Server "notes" came with this vault and nobody on this machine has agreed to it. It would run errand-vault --vault ..',
    advice: [{ kind: 'review-trust' }],
    facts: { server: 'notes' },
  });
});

test('asks nobody about a server that a running program lends: it starts nothing', async () => {
  const trust = await openTrust(createMemoryTrustStore());
  const lent: ServerConfig = { ...exampleServer, deploymentType: 'face' };
  expect(trust.verdict(lent)).toBe('trusted');
  expect(trust.mayStart(lent)).toBeUndefined();
});

test('starts what was approved, and remembers it', async () => {
  const store = createMemoryTrustStore();
  await (await openTrust(store)).agree([exampleServer]);
  const later = await openTrust(store);
  expect(later.mayStart(exampleServer)).toBeUndefined();
  expect(later.verdict(exampleServer)).toBe('trusted');
});

test('asks again when a model would be asked about less than was agreed to, not about more', async () => {
  const trust = await openTrust(createMemoryTrustStore());
  const asking = (approval: ServerConfig['approval']) =>
    approval ? { ...exampleServer, approval } : exampleServer;
  await trust.agree([asking('always')]);
  expect(trust.verdict(asking('deny'))).toBe('trusted');
  expect(trust.verdict(asking('ask'))).toBe('changed');
  expect(trust.verdict(asking(undefined))).toBe('changed');
  expect(trust.verdict(asking('allow'))).toBe('changed');
  await trust.agree([asking('ask')]);
  expect(trust.verdict(asking(undefined))).toBe('trusted');
});

test('models are asked about no less than was agreed to, whatever the settings say meanwhile', async () => {
  const trust = await openTrust(createMemoryTrustStore());
  const asking = (approval: ServerConfig['approval']) =>
    approval ? { ...exampleServer, approval } : exampleServer;
  expect(trust.approvalOf(asking('allow'))).toBe('ask');
  await trust.agree([asking('always')]);
  expect(
    (['allow', undefined, 'ask', 'always', 'deny'] as const).map((rule) =>
      trust.approvalOf(asking(rule)),
    ),
  ).toEqual(['always', 'always', 'always', 'always', 'deny']);
  await trust.agree([asking('allow')]);
  expect(trust.approvalOf(asking('allow'))).toBe('allow');
  await trust.revoke();
  expect(trust.approvalOf(asking('allow'))).toBe('ask');
  const trusting = await openTrust(createMemoryTrustStore(), { trustAll: true });
  expect(trusting.approvalOf(asking('allow'))).toBe('allow');
});

test.each<[string, ServerConfig, Partial<ServerConfig>]>([
  ['another command', exampleServer, { localConfig: { command: 'rm' } }],
  ['another argument', exampleServer, { localConfig: { command: 'errand-vault', args: ['/'] } }],
  [
    'another variable',
    exampleServer,
    {
      localConfig: { ...exampleServer.localConfig, command: 'errand-vault', env: { A: 'b' } },
    },
  ],
  [
    'another folder',
    exampleServer,
    { localConfig: { ...exampleServer.localConfig, command: 'errand-vault', cwd: '..' } },
  ],
  ['no questions to models', exampleServer, { approval: 'allow' }],
  ['another image', docker, { dockerConfig: { image: 'y', containerName: 'errand-x' } }],
  [
    'a writable mount',
    docker,
    {
      dockerConfig: {
        image: 'x:1',
        containerName: 'errand-x',
        ports: { '80': 0 },
        mounts: [{ source: '.', target: '/data', writable: true }],
      },
    },
  ],
  [
    'the sandbox of a command',
    { ...exampleServer, localConfig: { command: 'x', sandbox: { kind: 'bwrap' } } },
    { localConfig: { command: 'x', sandbox: { kind: 'bwrap', network: true } } },
  ],
  [
    'a sandbox that is gone',
    { ...exampleServer, localConfig: { command: 'x', sandbox: { kind: 'bwrap' } } },
    { localConfig: { command: 'x' } },
  ],
  ['another address', remote, { httpConfig: { url: 'https://evil.example', headers: { A: 'b' } } }],
  [
    'another header',
    remote,
    { httpConfig: { url: 'https://crm.example/mcp?key=hidden', headers: { A: 'c' } } },
  ],
  ...Object.entries({
    image: 'y:1',
    containerName: 'errand-y',
    command: ['other'],
    ports: { '80': 1 },
    path: '/other',
    headers: { A: 'b' },
    env: { A: 'b' },
    memory: '1g',
    cpus: 2,
    mounts: [],
    network: 'host',
    sandboxed: true,
  }).map(([field, value]): [string, ServerConfig, Partial<ServerConfig>] => [
    `the ${field} of a container`,
    docker,
    {
      dockerConfig: { image: 'x:1', containerName: 'x', ...docker.dockerConfig, [field]: value },
    },
  ]),
])('asks again after a change to %s', async (_what, server, change) => {
  const trust = await openTrust(createMemoryTrustStore());
  await trust.agree([server]);
  const changed = { ...server, ...change };
  expect(trust.verdict(changed)).toBe('changed');
  expect(trust.mayStart(changed)?.message).toContain('was changed since');
});

test('asks again after a change to a file of the vault that it runs, and names that', async () => {
  let identity = '1';
  const launchFiles = { of: () => [{ path: 's.sh', identity }] };
  const store = createMemoryTrustStore();
  const trust = await openTrust(store, { launchFiles });
  await trust.agree([exampleServer]);
  expect((await openTrust(store, { launchFiles })).verdict(exampleServer)).toBe('trusted');
  identity = '2';
  expect(trust.verdict(exampleServer)).toBe('changed');
  expect(trust.mayStart(exampleServer)?.message).toBe(
    'Server "notes" runs s.sh of this vault, which was changed since somebody on this machine agreed to it.',
  );
  const shown = trust.show(exampleServer);
  identity = '3';
  await trust.agreeTo([shown]);
  expect(trust.verdict(exampleServer)).toBe('changed');
  identity = '2';
  expect(trust.verdict(exampleServer)).toBe('trusted');
});

test.each<readonly [string, readonly LaunchFile[], string]>([
  ['a file that is gone', [], 'runs s.sh of this vault, which was removed since'],
  [
    'a folder',
    [{ path: 's.sh', identity: 'folder' }],
    'runs s.sh of this vault, which was changed',
  ],
  [
    'another file beside it',
    [
      { path: 's.sh', identity: '1' },
      { path: 's.sh.js', identity: '2' },
    ],
    'runs s.sh.js of this vault, which was changed since',
  ],
])('asks again when a file that it runs becomes %s', async (_what, after, message) => {
  let files: readonly LaunchFile[] = [{ path: 's.sh', identity: '1' }];
  const launchFiles = { of: () => files };
  const trust = await openTrust(createMemoryTrustStore(), { launchFiles });
  await trust.agree([exampleServer]);
  files = after;
  expect(trust.verdict(exampleServer)).toBe('changed');
  expect(trust.mayStart(exampleServer)?.message).toContain(message);
});

test.each<Partial<ServerConfig>>([
  { name: 'other', enabled: false, failureCount: 3, autoDisabled: true, lastConnectedAt: 1 },
  { timeout: 5000, approval: 'deny', era: 'modern' },
])('does not ask again after %j', async (change) => {
  const trust = await openTrust(createMemoryTrustStore());
  await trust.agree([exampleServer]);
  expect(trust.verdict({ ...exampleServer, ...change })).toBe('trusted');
});

test('approves everything for one run and remembers nothing of it', async () => {
  const store = createMemoryTrustStore();
  const trust = await openTrust(store, { trustAll: true });
  expect(trust.mayStart(exampleServer)).toBeUndefined();
  expect(trust.verdict(exampleServer)).toBe('new');
  expect(await store.load()).toEqual(new Map());
});

test('forgets when asked to', async () => {
  const trust = await openTrust(createMemoryTrustStore());
  await trust.agree([exampleServer]);
  await trust.revoke();
  expect(trust.verdict(exampleServer)).toBe('new');
});

test('applies an approval that was given elsewhere', async () => {
  const store = createMemoryTrustStore();
  const running = await openTrust(store);
  const elsewhere = await openTrust(store);
  await elsewhere.agree([exampleServer]);
  await Promise.resolve();
  expect(running.mayStart(exampleServer)).toBeUndefined();
  running.close();
  await elsewhere.revoke();
  await Promise.resolve();
  expect(running.mayStart(exampleServer)).toBeUndefined();
});

test('keeps parameters out of the error, because they may hold secrets', async () => {
  const trust = await openTrust(createMemoryTrustStore());
  expect(trust.mayStart(remote)?.message).toContain('It would connect to https://crm.example.');
  expect(trust.mayStart(remote)?.message).not.toContain('hidden');
});

const assistant = {
  name: 'Claude',
  provider: 'anthropic',
  baseUrl: 'https://models.example/v1',
  key: `\${secret:anthropic}`,
};

test('sends neither a question nor a key to an assistant of the vault before approval', async () => {
  const trust = await openTrust(createMemoryTrustStore());
  expect(trust.verdictOfAssistant(assistant)).toBe('new');
  expect(trust.mayUse(assistant)).toMatchObject({
    code: 'untrusted',
    message: `Assistant "Claude" came with this vault and nobody on this machine has agreed to it. It would send what you ask, and \${secret:anthropic}, to https://models.example/v1.`,
  });
  await trust.agree([], [assistant]);
  expect(trust.mayUse(assistant)).toBeUndefined();
  for (const change of [
    { baseUrl: 'https://elsewhere.example/v1' },
    { key: `\${env:GITHUB_TOKEN}` },
    { provider: 'openai' },
  ]) {
    const changed = { ...assistant, ...change };
    expect(trust.verdictOfAssistant(changed)).toBe('changed');
    expect(trust.mayUse(changed)).toMatchObject({ code: 'untrusted' });
  }
  await trust.revoke();
  expect(trust.mayUse(assistant)).toMatchObject({ code: 'untrusted' });
});

test('needs no approval for an assistant on this machine without a key', async () => {
  const trust = await openTrust(createMemoryTrustStore());
  const local = { name: 'Local', provider: 'openai-compatible' };
  for (const baseUrl of ['http://127.0.0.1:11434/v1', 'http://localhost:1', 'http://[::1]:1']) {
    expect(trust.mayUse({ ...local, baseUrl })).toBeUndefined();
    expect(trust.mayUse({ ...local, baseUrl, key: `\${env:A}` })).toMatchObject({
      code: 'untrusted',
    });
  }
  for (const baseUrl of ['http://127.0.0.1.example', 'http://localhost.example', 'nonsense']) {
    expect(trust.mayUse({ ...local, baseUrl })).toMatchObject({ code: 'untrusted' });
  }
  const trusting = await openTrust(createMemoryTrustStore(), { trustAll: true });
  expect(trusting.mayUse(assistant)).toBeUndefined();
});

test('a server of ours is trusted unasked, and only as long as it is ours', async () => {
  const isOwnServer = ({ id, approval }: ServerConfig) =>
    id === exampleServer.id && approval !== 'allow';
  const trust = await openTrust(createMemoryTrustStore(), { isOwnServer });
  expect([trust.verdict(exampleServer), trust.mayStart(exampleServer)]).toEqual([
    'trusted',
    undefined,
  ]);
  const lax = { ...exampleServer, approval: 'allow' } as const;
  expect(trust.verdict(lax)).toBe('new');
  expect(trust.mayStart(lax)).toMatchObject({ code: 'untrusted' });
});
