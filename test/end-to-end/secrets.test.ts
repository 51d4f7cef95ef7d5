import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ServerConfig } from '@errand/host';
import { expect, test } from 'vitest';
import { patient, run, TestVault } from './errand-process.ts';

/** A stranger's server that writes down what it is sent. */
async function openStranger() {
  const received: string[] = [];
  const server = createServer((request, response) => {
    received.push(request.headers.authorization ?? '');
    response.writeHead(500).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    received,
    [Symbol.dispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function stranger(url: string): ServerConfig {
  return {
    id: 'stranger',
    name: 'stranger',
    transport: 'http',
    deploymentType: 'external',
    httpConfig: { url, headers: { Authorization: `Bearer \${secret:github}` } },
    enabled: true,
    failureCount: 0,
    autoDisabled: false,
    sectionBindings: [],
  };
}

/** Two vaults of one user; the first one has the secret. */
async function twoVaults(...options: readonly string[]) {
  const own = new TestVault({});
  const other = new TestVault({});
  Object.assign(other.env, own.env);
  const set = `echo swordfish | ${own.commandLine()} secrets set github ${options.join(' ')}`;
  const { code, stdout } = await run('sh', ['-c', set], own);
  expect({ code, stdout }).toMatchObject({ code: 0 });
  return {
    own,
    other,
    stdout,
    [Symbol.dispose]() {
      own[Symbol.dispose]();
      other[Symbol.dispose]();
    },
  };
}

test(
  'gives a secret of one vault to another only after an approval that names it',
  patient,
  async () => {
    using remote = await openStranger();
    using vaults = await twoVaults();
    const { own, other } = vaults;
    expect(vaults.stdout).toBe(
      `Stored for ${own.folder}. Use it in settings as \${secret:github}\n`,
    );
    other.add(stranger(remote.url));
    const refused = await other.json('call', 'stranger', 'any', '--trust');
    expect(refused).toMatchObject({ code: 2, json: { error: { code: 'untrusted' } } });
    expect(JSON.stringify(refused.json)).toMatch(/names the secret .*github.*review-trust/);
    expect(remote.received).toEqual([]);

    const { stdout } = await other.errand('trust', '--list');
    expect(stdout).toContain('│ is given your secret "github"\n');
    expect(await other.errand('trust', '--yes')).toMatchObject({ code: 0 });
    await other.errand('tools', 'stranger');
    expect(remote.received[0]).toBe('Bearer swordfish');
  },
);

test('a secret that is set for all vaults, or for this one too, is given', patient, async () => {
  using remote = await openStranger();
  using vaults = await twoVaults('--all-vaults');
  const { own, other } = vaults;
  expect(vaults.stdout).toMatch(/^Stored for all vaults\./);
  other.add(stranger(remote.url));
  await other.errand('tools', 'stranger', '--trust');
  expect(remote.received[0]).toBe('Bearer swordfish');

  const again = `echo haddock | ${own.commandLine()} secrets set mail`;
  await run('sh', ['-c', again], own);
  await run('sh', ['-c', again], other);
  expect(await other.json('secrets', 'list')).toMatchObject({
    json: {
      secrets: ['github', 'mail'],
      vaults: { github: 'all', mail: [own.folder, other.folder] },
    },
  });
  const { stdout } = await own.errand('secrets', 'list');
  expect(stdout).toBe(`github  for all vaults\nmail    for ${own.folder}, ${other.folder}\n`);
  await own.errand('secrets', 'remove', 'mail');
  expect(await own.json('secrets', 'list')).toMatchObject({ json: { secrets: ['github'] } });
});

test('imports what looks like a secret as one, under a name of its own', patient, async () => {
  using vault = new TestVault({});
  const { command, args } = vault.scripted().localConfig ?? { command: '' };
  const mcpServers = { weather: { command, args, env: { API_KEY: 'swordfish', LANG: 'en' } } };
  writeFileSync(vault.path('their.json'), JSON.stringify({ mcpServers }));
  const entry = () => vault.settings().mcpServers.map(({ localConfig }) => localConfig?.env);
  const { stdout, code } = await vault.errand('servers', 'import', 'their.json', '--yes');
  expect({ stdout, code }).toMatchObject({ code: 0 });
  expect(stdout).toContain('API_KEY is kept as the secret "weather-api-key", outside the vault.');
  expect(entry()).toEqual([{ API_KEY: `\${secret:weather-api-key}`, LANG: 'en' }]);
  expect(vault.read('.errand/settings.json')).not.toContain('swordfish');
  const seen = await vault.json('call', 'weather', 'environment');
  expect(JSON.stringify(seen.json)).toContain('swordfish');
  expect(await vault.json('servers', 'import', 'their.json')).toMatchObject({
    json: { servers: [{ sameAs: 'weather' }] },
  });

  await vault.errand('servers', 'remove', 'weather');
  const plain = await vault.errand('servers', 'import', 'their.json', '--yes', '--keep-plain');
  expect(plain).toMatchObject({ code: 0 });
  expect(entry()).toEqual([{ API_KEY: 'swordfish', LANG: 'en' }]);
});

test(
  'a token that is typed as a variable becomes a secret, and a server that works then is enabled',
  patient,
  async () => {
    using vault = new TestVault({});
    const { command = '', args = [] } = vault.scripted().localConfig ?? {};
    const broken = await vault.errand('servers', 'add', 'weather', '--', '/no/such/program');
    expect(broken.stdout).toContain('disabled because it does not work yet');
    const typed = ['--env', 'API_KEY=swordfish', '--env', 'UNITS=metric', '--', command, ...args];
    const edited = await vault.errand('servers', 'edit', 'weather', ...typed);
    expect(edited).toMatchObject({ code: 0, stdout: 'Changed weather, enabled.\n' });
    expect(edited.stderr).toContain(
      'API_KEY is kept as the secret "weather-api-key", outside the vault.',
    );
    const env = { API_KEY: `\${secret:weather-api-key}`, UNITS: 'metric' };
    expect(vault.settings().mcpServers).toMatchObject([{ enabled: true, localConfig: { env } }]);
    expect(vault.read('.errand/settings.json')).not.toContain('swordfish');
    const renewed = ['servers', 'edit', 'weather', '--env', 'API_KEY=salmon'];
    expect(await vault.errand(...renewed)).toMatchObject({ code: 0 });
    expect(await vault.json('secrets', 'list')).toMatchObject({
      json: { secrets: ['weather-api-key'] },
    });
    const seen = await vault.json('call', 'weather', 'environment');
    expect(JSON.stringify(seen.json)).toContain('salmon');
    const added = ['servers', 'add', 'other', '--keep-plain', '--disabled', ...typed];
    expect(await vault.errand(...added)).toMatchObject({ code: 0 });
    expect(vault.settings().mcpServers[1]?.localConfig?.env).toMatchObject({
      API_KEY: 'swordfish',
    });
  },
);

test('a person at a terminal may leave a secret as it is', patient, async () => {
  using vault = new TestVault({});
  const mcpServers = { weather: { command: 'x', env: { API_KEY: 'swordfish' } } };
  writeFileSync(vault.path('their.json'), JSON.stringify({ mcpServers }));
  using asked = vault.startOnTerminal('errand servers import their.json --disabled');
  await asked.says(/weather API_KEY\s+[\s\S]*outside the vault\? \[Y\/n\]/);
  asked.type('n\r');
  expect(await asked.ended).toMatchObject({ code: 0 });
  expect(vault.settings().mcpServers[0]?.localConfig?.env).toEqual({ API_KEY: 'swordfish' });
});
