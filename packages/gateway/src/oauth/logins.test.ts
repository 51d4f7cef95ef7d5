import { createHmac } from 'node:crypto';
import {
  base64url,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  importJWK,
  type JWK,
  SignJWT,
} from 'jose';
import { expect, test, vi } from 'vitest';
import type { GatewayClient } from '../replica/gateway-client.ts';
import { openTestGateway } from '../testing/open-test-gateway.ts';
import { TestIssuer } from '../testing/test-issuer.ts';
import { IssuerKeys } from './issuer-keys.ts';
import { createLogins } from './logins.ts';
import { protectedResource } from './protected-resource.ts';
import { TokenVerifier } from './token-verifier.ts';

const resource = 'https://tools.example.org/mcp';
const ada: GatewayClient = { name: 'ada', logins: [{ claim: 'sub', value: 'ada' }] };

test('lets in whoever logged in and is a client, beside clients with tokens of their own', async () => {
  await using place = await openPlace();
  const { issuer, statusOf } = place;
  expect(await statusOf(await issuer.token(resource))).toBe(200);
  expect(await statusOf(await issuer.token(resource))).toBe(200);
  expect(await statusOf('own-token')).toBe(200);
  expect(issuer.countOf('/keys')).toBe(1);
});

test('a refusal leads to the metadata of the resource', async () => {
  await using place = await openPlace({ scopes: ['tools', 'notes'] });
  const metadata =
    'resource_metadata="https://tools.example.org/.well-known/oauth-protected-resource/mcp", scope="tools notes"';
  expect((await place.ask()).headers.get('www-authenticate')).toBe(`Bearer ${metadata}`);
  // What cannot be a token of the issuer is not asked for there.
  expect((await place.ask('egw_wrong')).headers.get('www-authenticate')).toBe(`Bearer ${metadata}`);
  const expired = await place.issuer.token(resource, { exp: 1 });
  expect((await place.ask(expired)).headers.get('www-authenticate')).toBe(
    `Bearer error="invalid_token", error_description="The token has expired.", ${metadata}`,
  );
});

test('the metadata of a resource is at its path, and names what clients need', () => {
  const described = (address: string) => protectedResource({ resource: address, issuer: 'i' });
  expect(described('https://a.example/x/mcp')).toMatchObject({
    paths: ['/.well-known/oauth-protected-resource/x/mcp', '/.well-known/oauth-protected-resource'],
    document: {
      resource: 'https://a.example/x/mcp',
      authorization_servers: ['i'],
      bearer_methods_supported: ['header'],
    },
  });
  expect(described('https://a.example/').paths).toEqual(['/.well-known/oauth-protected-resource']);
});

const later = Math.floor(Date.now() / 1000) + 3600;

test.each<[string, object, Record<string, string>, string]>([
  ['for another resource', { aud: 'https://other.example/mcp' }, {}, 'for another resource'],
  ['for no resource', { aud: undefined }, {}, 'for another resource'],
  ['of another issuer', { iss: 'https://evil.example' }, {}, 'another authorization server'],
  ['that has expired', { exp: 1 }, {}, 'has expired'],
  ['that is not valid yet', { nbf: later }, {}, 'is not valid yet'],
  ['that never expires', { exp: undefined }, {}, 'not an access token'],
  ['of nobody', { sub: undefined }, {}, 'not an access token'],
  ['that is bound to a key', { cnf: { jkt: 'x' } }, {}, 'bound to a key'],
  ['whose subject is no text', { sub: { id: 1 } }, {}, 'not an access token'],
  ['without a name for its subject', { sub: '' }, {}, 'not an access token'],
  ['whose type is no text', {}, { typ: 5 as never }, 'not an access token'],
  ['that is a logout', {}, { typ: 'logout+jwt' }, 'not an access token'],
  [
    'of an unknown key',
    {},
    { kid: 'unknown' },
    'a key that its authorization server does not have',
  ],
])('refuses a token %s', async (_, claims, header, why) => {
  await using place = await openPlace();
  const response = await place.ask(await place.issuer.token(resource, { ...claims }, header));
  expect([response.status, await response.text()]).toEqual([401, expect.stringContaining(why)]);
});

test('refuses tokens that nobody signed, or with what everybody knows', async () => {
  await using place = await openPlace();
  const { issuer, ask } = place;
  const [header = '', payload = '', signature = ''] = (await issuer.token(resource)).split('.');
  const named = (alg: string) => base64url.encode(JSON.stringify({ alg, kid: issuer.openKey.kid }));
  const pem = await exportSPKI(
    (await importJWK(issuer.openKey)) as Parameters<typeof exportSPKI>[0],
  );
  const hmac = (text: string) => createHmac('sha256', pem).update(text).digest('base64url');
  const mallory = await generateKeyPair('ES256');
  const own = await new SignJWT({ iss: issuer.url, aud: resource, sub: 'ada', exp: later })
    .setProtectedHeader({
      alg: 'ES256',
      kid: issuer.openKey.kid ?? '',
      jwk: await exportJWK(mallory.publicKey),
    })
    .sign(mallory.privateKey);
  const forged = [
    `${named('none')}.${payload}.`,
    `${named('none')}.${payload}.${signature}`,
    `${named('HS256')}.${payload}.${hmac(`${named('HS256')}.${payload}`)}`,
    `${header}.${base64url.encode(JSON.stringify({ iss: issuer.url, aud: resource, sub: 'ada', exp: later }))}.${signature}`,
    `${header}.${payload}.`,
    `${header}.${payload}`,
    'a.b.c',
    own,
  ];
  for (const token of forged) expect([token, (await ask(token)).status]).toEqual([token, 401]);
  for (const token of forged.slice(0, 3)) {
    expect(await (await ask(token)).text()).toContain('an algorithm that is not accepted');
  }
});

test('takes a new key of the issuer at once, and no longer the old one', async () => {
  await using place = await openPlace();
  const { issuer, statusOf } = place;
  const old = await issuer.token(resource);
  expect(await statusOf(old)).toBe(200);
  await issuer.rotate();
  place.pass(30_001);
  expect(await statusOf(await issuer.token(resource))).toBe(200);
  expect(await statusOf(old)).toBe(401);
});

test('a storm of tokens with unknown keys asks the issuer once', async () => {
  await using place = await openPlace();
  const { issuer, statusOf } = place;
  expect(await statusOf(await issuer.token(resource))).toBe(200);
  place.pass(30_001);
  const storm = Array.from({ length: 50 }, async (_, index) =>
    statusOf(await issuer.token(resource, {}, { kid: `unknown-${index}` })),
  );
  expect(new Set(await Promise.all(storm))).toEqual(new Set([401]));
  expect(issuer.countOf('/keys')).toBe(2);
});

test('while the issuer is broken its last keys are used for an hour, then nobody is told to log in again', async () => {
  await using place = await openPlace();
  const { issuer, statusOf } = place;
  expect(await statusOf(await issuer.token(resource))).toBe(200);
  issuer.faults.isBroken = true;
  place.pass(50 * 60_000);
  expect(await statusOf(await issuer.token(resource))).toBe(200);
  await expect.poll(() => place.notices).toHaveLength(1);
  place.pass(11 * 60_000);
  const refused = await place.ask(await issuer.token(resource));
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
  expect(refused.headers.get('www-authenticate')).toBeNull();
  expect(await statusOf('own-token')).toBe(200);
  issuer.faults.isBroken = false;
  place.pass(5_001);
  expect(await statusOf(await issuer.token(resource))).toBe(200);
  expect(place.notices).toEqual([expect.stringContaining('does not answer')]);
});

test('a token that passed is refused when it expires', async () => {
  await using place = await openPlace();
  const token = await place.issuer.token(resource, { exp: Math.floor(Date.now() / 1000) + 60 });
  expect(await place.statusOf(token)).toBe(200);
  place.setClock(Date.now() + 91_000);
  expect(await place.statusOf(token)).toBe(401);
});

test.each<[string, (issuer: TestIssuer) => void, string]>([
  [
    'another issuer',
    ({ faults }) => (faults.metadata = { issuer: 'https://evil.example' }),
    'other_issuer',
  ],
  ['no keys', ({ faults }) => (faults.keys = []), 'no_keys'],
  ['secrets as keys', ({ faults }) => (faults.keys = [{ kty: 'oct', k: 'c2VjcmV0' }]), 'no_keys'],
  ['no address of keys', ({ faults }) => (faults.metadata = { jwks_uri: undefined }), 'no_keys'],
  [
    'keys that travel in the open',
    ({ faults }) => (faults.metadata = { jwks_uri: 'http://keys.example/' }),
    'unsafe_address',
  ],
  ['nothing but failures', ({ faults }) => (faults.isBroken = true), 'unreachable'],
])('lets nobody in with an issuer that has %s', async (_, change, code) => {
  await using place = await openPlace();
  change(place.issuer);
  expect(await place.statusOf(await place.issuer.token(resource))).toBe(503);
  expect(place.keys.failure).toMatchObject({ code });
});

test('somebody who is no client is refused, and becomes one while the gateway runs', async () => {
  await using place = await openPlace();
  const { issuer, ask, clients } = place;
  const token = await issuer.token(resource, { sub: 'eve', scope: 'tools', groups: ['dev'] });
  const refused = await ask(token);
  expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([403, null]);
  clients.push({ name: 'readers', logins: [{ claim: 'scope', value: 'read' }] });
  expect((await ask(token)).headers.get('www-authenticate')).toContain('insufficient_scope');
  clients.push({ name: 'dev', logins: [{ claim: 'groups', value: 'dev' }] });
  expect((await ask(token)).status).toBe(200);
  clients.length = 0;
  expect((await ask(token)).status).toBe(403);
});

test('a session belongs to the person who began it, not to everybody who is the same client', async () => {
  await using place = await openPlace();
  const { issuer, ask, clients } = place;
  clients.push({ name: 'all', logins: [{ claim: 'iss', value: issuer.url }] });
  const [eve, bob] = await Promise.all(
    ['eve', 'bob'].map((sub) => issuer.token(resource, { sub })),
  );
  const begun = await ask(eve, { method: 'initialize' });
  const session = { 'mcp-session-id': begun.headers.get('mcp-session-id') ?? '' };
  expect((await ask(eve, { method: 'ping', headers: session })).status).toBe(200);
  expect((await ask(bob, { method: 'ping', headers: session })).status).toBe(404);
});

async function openPlace({ scopes }: { readonly scopes?: readonly string[] } = {}) {
  const issuer = await TestIssuer.start();
  const clients: GatewayClient[] = [ada];
  const notices: string[] = [];
  let [passed, clock] = [0, 0];
  const notifier = { notify: ({ message }: { message: string }) => void notices.push(message) };
  const keys = new IssuerKeys({ issuer: issuer.url, notifier, now: () => passed });
  const settings = { issuer: issuer.url, resource, ...(scopes && { scopes }) };
  const verifier = new TokenVerifier(keys, settings, () => clock || Date.now());
  const logins = createLogins({
    verifier,
    resource: protectedResource(settings),
    clients: () => clients,
  });
  const gateway = await openTestGateway(
    {},
    { clients: (token) => (token === 'own-token' ? { name: 'own' } : undefined), logins },
  );
  const ask = (
    token = '',
    {
      method = 'initialize',
      headers = {},
    }: { method?: string; headers?: Record<string, string> } = {},
  ) => {
    const clientInfo = { name: 'test', version: '1' };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    return gateway.post(
      { jsonrpc: '2.0', id: 1, method, params },
      { ...(token && { authorization: `Bearer ${token}` }), ...headers },
    );
  };
  return {
    issuer,
    keys,
    clients,
    notices,
    ask,
    statusOf: async (token: string) => (await ask(token)).status,
    pass: (ms: number) => {
      passed += ms;
    },
    setClock: (now: number) => {
      clock = now;
    },
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      await issuer[Symbol.asyncDispose]();
    },
  };
}

test.each<[string, JWK]>([
  ['that is too short', { kty: 'RSA', n: 'w'.repeat(86), e: 'AQAB' }],
  ['that is no point of its curve', { kty: 'EC', crv: 'P-256', x: 'AQ', y: 'AQ' }],
])('a token that names a key of the issuer %s is refused', async (_, broken) => {
  await using place = await openPlace();
  const { issuer } = place;
  const alg = broken.kty === 'RSA' ? 'RS256' : 'ES256';
  issuer.faults.keys = [{ ...broken, kid: 'broken', alg, use: 'sig' }];
  const [, payload, signature] = (await issuer.token(resource)).split('.');
  const header = base64url.encode(JSON.stringify({ alg, kid: 'broken', typ: 'at+jwt' }));
  expect(await place.statusOf(`${header}.${payload}.${signature}`)).toBe(401);
});

test('keys that are nested too deeply are a failure that is told, and not the end of the program', async () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const issuer = 'https://login.example';
  const answer = (url: string) =>
    url.endsWith('/keys')
      ? `{"keys":[{"kty":"RSA","x":${deep}}]}`
      : JSON.stringify({ issuer, jwks_uri: `${issuer}/keys` });
  const notify = vi.fn();
  const keys = new IssuerKeys({
    issuer,
    notifier: { notify },
    fetch: async (url) => new Response(answer(String(url))),
  });
  await expect(keys.current()).rejects.toMatchObject({ name: 'IssuerError', code: 'no_keys' });
  expect(notify).toHaveBeenCalledTimes(1);
});
