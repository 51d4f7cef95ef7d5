import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { closeServer, listen, urlAt } from '@errand/wire/node';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { logInByCode } from './log-in-by-code.ts';
import { type LoginPrompt, RedirectListener } from './redirect-listener.ts';
import { refreshTokens, revokeToken } from './token-requests.ts';

const client = { id: 'client', secret: 'client-secret' };
const done = 'Errand has what it needs';

let service: LoginService;
beforeEach(async () => {
  service = await startLoginService();
});
afterEach(() => service[Symbol.asyncDispose]());

test('logs in by a browser that comes back, with PKCE and what the service needs to know', async () => {
  let page = '';
  const tokens = await logIn({
    show: async (address) => {
      page = await visit(service.returnAddress(address));
    },
  });
  expect(tokens).toMatchObject({
    accessToken: 'access-1',
    refreshToken: 'refresh-1',
    scopes: ['read', 'send'],
    client,
    tokenUrl: `${service.url}/token`,
  });
  expect(page).toContain(done);
  const { challenge, asked, forms } = service;
  expect(asked).toMatchObject({
    prompt: 'consent',
    scope: 'read send',
    code_challenge_method: 'S256',
  });
  const verifier = forms[0]?.get('code_verifier') ?? '';
  expect(createHash('sha256').update(verifier).digest('base64url')).toBe(challenge);
});

test('takes the address that a person pastes, where no browser can come back', async () => {
  let shown = '';
  const pasting: LoginPrompt = {
    show: async (address) => {
      shown = address;
    },
    pasted: async () => `  ${service.returnAddress(shown)}\n`,
  };
  expect((await logIn(pasting)).accessToken).toBe('access-1');
});

test.each(['http://127.0.0.1:1/callback?code=stolen&state=another', 'code=stolen', 'nonsense', ''])(
  'refuses the pasted address "%s"',
  async (pasted) => {
    const prompt: LoginPrompt = { show: async () => undefined, pasted: async () => pasted };
    await expect(logIn(prompt)).rejects.toMatchObject({ code: 'wrong_address' });
    expect(service.forms).toEqual([]);
  },
);

test('says what the login page answered instead of a code', async () => {
  let page = '';
  const refusing: LoginPrompt = {
    show: async (address) => {
      const back = new URL(service.returnAddress(address));
      back.searchParams.delete('code');
      back.searchParams.set('error', 'access_denied');
      page = await visit(back.href);
    },
  };
  await expect(logIn(refusing)).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringContaining('access_denied'),
  });
  expect(page).toContain('not completed');
});

test('ends when nobody comes back in time, and when the person gives up', async () => {
  const closesTab: LoginPrompt = { show: async () => undefined };
  const late = AbortSignal.abort(new DOMException('', 'TimeoutError'));
  await expect(logIn(closesTab, late)).rejects.toMatchObject({ code: 'timed_out' });
  const giveUp = new AbortController();
  const leaving: LoginPrompt = { show: async () => giveUp.abort() };
  await expect(logIn(leaving, giveUp.signal)).rejects.toMatchObject({ code: 'cancelled' });
});

test('listens elsewhere when the wanted port is taken', async () => {
  await using first = await RedirectListener.start('a');
  const port = Number(new URL(first.url).port);
  await using second = await RedirectListener.start('b', port);
  expect(Number(new URL(second.url).port)).not.toBe(port);
  expect(await visit(`${second.url}?code=1&state=b`)).toContain(done);
});

test('takes the first of two tabs', async () => {
  await using listener = await RedirectListener.start('state');
  const tabs = ['one', 'two'].map((code) => `${listener.url}?state=state&code=${code}`);
  for (const tab of tabs) expect(await visit(tab)).toContain(done);
  const { code } = await listener.comeBack({ show: async () => undefined }, soon());
  expect(code).toBe('one');
});

test('ignores what other pages and programs send to its port', async () => {
  await using listener = await RedirectListener.start('state');
  const url = new URL(`${listener.url}?state=state&code=stolen`);
  const { port } = url;
  const asked: readonly [string, object][] = [
    ['another state', { path: '/callback?state=guess&code=x' }],
    ['a longer state', { path: '/callback?state=statex&code=x' }],
    ['no state', { path: '/callback?code=x' }],
    ['another path', { path: '/?state=state&code=x' }],
    ['no path', { path: '//' }],
    ['an icon', { path: '/favicon.ico' }],
    ['a form', { path: `${url.pathname}${url.search}`, method: 'POST' }],
    ['a preview', { path: `${url.pathname}${url.search}`, method: 'HEAD' }],
    [
      'another name',
      { path: `${url.pathname}${url.search}`, headers: { host: `evil.example:${port}` } },
    ],
  ];
  for (const [what, options] of asked) {
    const asking = request({ port, ...options }).end();
    const [answer] = (await once(asking, 'response')) as [IncomingMessage];
    answer.resume();
    expect(answer.statusCode, what).toBe(400);
  }
  const garbage = connect(Number(port));
  garbage.end('\0\0\0\r\n\r\n');
  await once(garbage.resume(), 'close');
  const [page] = (await once(get(`${listener.url}?state=state&code=real`), 'response')) as [
    IncomingMessage,
  ];
  page.resume();
  expect(page.headers).toMatchObject({
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
  });
  const { code } = await listener.comeBack({ show: async () => undefined }, soon());
  expect(code).toBe('real');
});

test.each([
  ['a code that is used up', 400, '{"error":"invalid_grant"}', 'auth_required'],
  [
    'an unknown client',
    401,
    '{"error":"invalid_client","error_description":"No client."}',
    'refused',
  ],
  ['a failure', 500, '{"error":"internal"}', 'unavailable'],
  ['a login page', 200, '<html>Log in to the proxy', 'unavailable'],
  ['a redirect', 307, '', 'unavailable'],
])('tells %s in answer to a code', async (_what, status, body, code) => {
  service.answer = { status, body };
  const asked = logIn({
    show: async (address) => void (await visit(service.returnAddress(address))),
  });
  await expect(asked).rejects.toMatchObject({ code });
  expect(service.forms).toHaveLength(1);
});

test('refreshes tokens, keeps the refresh token that the answer leaves out, and revokes it', async () => {
  service.answer = { status: 200, body: '{"access_token":"access-2","expires_in":60}' };
  const tokens = {
    accessToken: 'old',
    refreshToken: 'refresh',
    account: 'a@example.org',
    scopes: ['read'],
  };
  const tokenUrl = `${service.url}/token`;
  const refreshed = await refreshTokens(tokens, { tokenUrl, client, now: () => 1000 });
  expect(refreshed).toEqual({ ...tokens, accessToken: 'access-2', expiresAt: 61_000 });
  expect(Object.fromEntries(service.forms[0] ?? [])).toEqual({
    grant_type: 'refresh_token',
    refresh_token: 'refresh',
    client_id: 'client',
    client_secret: 'client-secret',
  });
  expect(await revokeToken('refresh', { revokeUrl: `${service.url}/revoke` })).toBe(true);
  expect(service.forms[1]?.get('token')).toBe('refresh');
  await service[Symbol.asyncDispose]();
  expect(await revokeToken('refresh', { revokeUrl: `${service.url}/revoke` })).toBe(false);
  await expect(refreshTokens(tokens, { tokenUrl, client })).rejects.toMatchObject({
    code: 'unavailable',
  });
});

function logIn(prompt: LoginPrompt, signal = soon()) {
  return logInByCode({
    authorizeUrl: `${service.url}/authorize`,
    tokenUrl: `${service.url}/token`,
    client,
    scopes: ['read', 'send'],
    parameters: { prompt: 'consent' },
    prompt,
    signal,
  });
}

function soon(): AbortSignal {
  return AbortSignal.timeout(30_000);
}

async function visit(address: string): Promise<string> {
  return (await fetch(address)).text();
}

interface LoginService extends AsyncDisposable {
  readonly url: string;
  readonly forms: readonly URLSearchParams[];
  asked: Readonly<Record<string, string>>;
  challenge: string;
  answer: { readonly status: number; readonly body: string };
  /** Where the login page at an address sends the browser. */
  returnAddress(page: string): string;
}

/** An authorization server that agrees to everything. */
async function startLoginService(): Promise<LoginService> {
  const forms: URLSearchParams[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    forms.push(new URLSearchParams(body));
    response.writeHead(service.answer.status, { location: '/elsewhere' }).end(service.answer.body);
  });
  const url = urlAt(await listen(server, { port: 0, host: '127.0.0.1' }, () => {}), '');
  const tokens = {
    access_token: 'access-1',
    refresh_token: 'refresh-1',
    expires_in: 3600,
    scope: 'read send',
  };
  let isOpen = true;
  const service: LoginService = {
    url,
    forms,
    asked: {},
    challenge: '',
    answer: { status: 200, body: JSON.stringify(tokens) },
    returnAddress(page) {
      const { searchParams } = new URL(page);
      service.asked = Object.fromEntries(searchParams);
      service.challenge = searchParams.get('code_challenge') ?? '';
      const back = new URL(searchParams.get('redirect_uri') ?? '');
      back.search = new URLSearchParams({
        code: 'code',
        state: searchParams.get('state') ?? '',
      }).toString();
      return back.href;
    },
    async [Symbol.asyncDispose]() {
      if (isOpen) await closeServer(server);
      isOpen = false;
    },
  };
  return service;
}
