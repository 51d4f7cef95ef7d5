import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { TestIssuer } from '@errand/gateway/testing';
import {
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { patient, TestVault } from './errand-process.ts';
import { newDatabase } from './new-database.ts';

test(
  'a client of the SDK finds where to log in, logs in, and calls what it may, through a gateway',
  patient,
  async () => {
    await using issuer = await TestIssuer.start();
    await using balancer = await openBalancer();
    using vault = await TestVault.agreed();
    vault.env.ERRAND_DATABASE = await newDatabase('logins');
    vault.env.ERRAND_OAUTH_ISSUER = issuer.url;
    vault.env.ERRAND_OAUTH_RESOURCE = balancer.url;
    const limits = ['--tools', 'fix__echo', '--calls', '2/day'];
    expect(
      (await vault.json('gateway', 'clients', 'add', 'tools', '--login', 'scope=tools', ...limits))
        .json,
    ).toEqual({
      client: {
        name: 'tools',
        tools: ['fix__echo'],
        limit: { calls: 2, periodMs: 86_400_000 },
        logins: [{ claim: 'scope', value: 'tools' }],
      },
    });
    const checked = await vault.errand('gateway', '--replica', '--check');
    expect(checked).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`${issuer.url} answers and has 1 key for signatures.`),
    });
    using gateway = vault.start(
      ...['gateway', '--replica', '--port', '0', '--oauth-scopes', 'tools', '--json'],
    );
    await gateway.says(/"url":/);
    balancer.lead(JSON.parse(gateway.stdout.split('\n')[0] ?? '').url);

    const provider = new Person();
    const first = new StreamableHTTPClientTransport(new URL(balancer.url), {
      authProvider: provider,
    });
    await expect(newClient().connect(first)).rejects.toBeInstanceOf(UnauthorizedError);
    const page = await fetch(provider.page ?? '', { redirect: 'manual' });
    await first.finishAuth(new URL(page.headers.get('location') ?? '').searchParams);
    const client = newClient();
    await client.connect(
      new StreamableHTTPClientTransport(new URL(balancer.url), { authProvider: provider }),
    );
    await expect
      .poll(async () => (await client.listTools()).tools.map(({ name }) => name))
      .toEqual(['fix__echo']);
    const call = () => client.callTool({ name: 'fix__echo', arguments: { text: 'logged in' } });
    expect(await call()).toMatchObject({ content: [{ text: 'logged in' }] });
    expect(await call()).toMatchObject({ content: [{ text: 'logged in' }] });
    expect(await call()).toMatchObject({
      isError: true,
      _meta: { 'errand/code': 'session_limit' },
    });
    await client.close();
    const { json } = await vault.json('gateway', 'clients', 'add', 'ci');
    const { token } = json as { token: string };
    await expect.poll(() => statusAt(balancer.url, token)).toBe(200);
    expect(await statusAt(balancer.url, await issuer.token(balancer.url))).toBe(403);
    expect(await statusAt(balancer.url, await issuer.token('https://other.example/mcp'))).toBe(401);
  },
);

test('says what is wrong with the options about logins', patient, async () => {
  await using issuer = await TestIssuer.start();
  using vault = TestVault.trusted({});
  const database = process.env.ERRAND_TEST_POSTGRES ?? '';
  const resource = ['--oauth-resource', 'https://tools.example.org/mcp'];
  const wrong: readonly (readonly [readonly string[], string])[] = [
    [['--port', '0', '--oauth-issuer', issuer.url, ...resource], 'need --replica and --database'],
    [['--replica', '--oauth-issuer', issuer.url], '--oauth-resource https://HOST/mcp'],
    [['--replica', ...resource], '--oauth-issuer https://HOST/PATH'],
    [['--replica', '--oauth-issuer', 'http://id.example', ...resource], 'begin with https://'],
    [
      ['--replica', '--check', '--oauth-issuer', `${issuer.url}/other`, ...resource],
      'has no metadata of an authorization server',
    ],
  ];
  const answers = await Promise.all(
    wrong.map(([args]) => {
      const needed = args[0] === '--port' ? [] : ['--database', database];
      return vault.errand('gateway', ...args, ...needed);
    }),
  );
  for (const [index, { code, stdout, stderr }] of answers.entries()) {
    expect([code, stdout + stderr]).toEqual([2, expect.stringContaining(wrong[index]?.[1] ?? '')]);
  }
});

/** A person in front of a browser, who is shown a page. */
class Person implements OAuthClientProvider {
  readonly redirectUrl = 'http://127.0.0.1:1/callback';
  readonly clientMetadata = { client_name: 'Test', redirect_uris: [this.redirectUrl] };
  page: URL | undefined;
  #client: Parameters<NonNullable<OAuthClientProvider['saveClientInformation']>>[0] | undefined;
  #tokens: Parameters<OAuthClientProvider['saveTokens']>[0] | undefined;
  #verifier = '';
  #discovery: OAuthDiscoveryState | undefined;

  clientInformation = () => this.#client;
  saveClientInformation: NonNullable<OAuthClientProvider['saveClientInformation']> = (client) => {
    this.#client = client;
  };
  tokens = () => this.#tokens;
  saveTokens: OAuthClientProvider['saveTokens'] = (tokens) => {
    this.#tokens = tokens;
  };
  redirectToAuthorization = (page: URL) => {
    this.page = page;
  };
  discoveryState = () => this.#discovery;
  saveDiscoveryState = (state: OAuthDiscoveryState) => {
    this.#discovery = state;
  };
  codeVerifier = () => this.#verifier;
  saveCodeVerifier = (verifier: string) => {
    this.#verifier = verifier;
  };
}

function newClient(): Client {
  return new Client({ name: 'test', version: '1' });
}

async function statusAt(url: string, token: string): Promise<number> {
  const clientInfo = { name: 'test', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
  });
  await response.text();
  return response.status;
}

/** An address that is known before the gateway behind it is. */
async function openBalancer() {
  let port = 0;
  const sockets = new Set<Socket>();
  const server = createServer((inside) => {
    const outside = connect(port, '127.0.0.1');
    for (const socket of [inside, outside]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => {
        inside.destroy();
        outside.destroy();
      });
    }
    inside.pipe(outside).pipe(inside);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    lead: (url: string) => {
      port = Number(new URL(url).port);
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
