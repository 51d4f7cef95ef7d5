import { once } from 'node:events';
import { get } from 'node:http';
import type { ServerConfig } from '@errand/host';
import { createMemorySecretStore } from '@errand/host/testing';
import type { LoginPrompt } from '@errand/oauth';
import { expect, test } from 'vitest';
import { ConnectionBench, callText, soon } from '../../testing/connection-bench.ts';
import { ScriptedHttpServer } from '../../testing/scripted-http-server.ts';
import { ScriptedLoginServer } from '../../testing/scripted-login-server.ts';
import { scriptedServerConfig } from '../../testing/scripted-server-config.ts';
import { logIn } from './log-in.ts';
import { logOut } from './log-out.ts';
import { oauthAuthorizers } from './oauth-authorizer.ts';

const client = { name: 'Errand' };

test('asks for a login, logs in, and is let in', async () => {
  await using place = await guardedServer();
  const { bench, server, secrets, entry } = place;
  await expect(place.connect()).rejects.toMatchObject({
    code: 'login_required',
    advice: [{ kind: 'log-in', server: 'scripted' }],
  });
  await logIn(entry, { secrets, client, prompt: browser, signal: soon() });
  const connection = await place.connect();
  expect(await callText(connection, 'echo', { text: 'in' })).toBe('in');
  expect(bench.notices).toEqual([]);
  expect(server.requests.at(-1)?.headers.authorization).toBe('Bearer token-1');
});

test('stays in for the next program, which reads the same secrets', async () => {
  await using place = await guardedServer();
  await logIn(place.entry, { secrets: place.secrets, client, prompt: browser, signal: soon() });
  await place.connect();
  const asked = place.login.requests.length;
  await place.connect();
  expect(place.login.requests).toHaveLength(asked);
});

test('refreshes once for all calls that wait for it', async () => {
  await using place = await guardedServer();
  const { login, secrets, entry } = place;
  await logIn(entry, { secrets, client, prompt: browser, signal: soon() });
  const connection = await place.connect();
  login.expireTokens();
  const before = login.requests.length;
  const texts = ['a', 'b', 'c', 'd', 'e'];
  const answers = await Promise.all(texts.map((text) => callText(connection, 'echo', { text })));
  expect(answers).toEqual(texts);
  const refreshes = login.requests.slice(before).filter(({ path }) => path === '/token');
  expect(refreshes.map(({ form }) => form.get('refresh_token'))).toEqual(['refresh-1']);
});

test('asks for a new login when the session has ended', async () => {
  await using place = await guardedServer();
  const { login, secrets, entry } = place;
  await logIn(entry, { secrets, client, prompt: browser, signal: soon() });
  const connection = await place.connect();
  login.expireTokens();
  login.faults.endsLogins = true;
  const call = callText(connection, 'write');
  await expect(call).rejects.toMatchObject({ code: 'login_required', facts: { neverSent: true } });
  await logIn(entry, { secrets, client, prompt: browser, signal: soon() });
  expect(await callText(connection, 'write')).toBe('written');
});

test('registers once, and comes back to the same address', async () => {
  await using place = await guardedServer();
  const { login, secrets, entry } = place;
  await logIn(entry, { secrets, client, prompt: browser, signal: soon() });
  await logIn(entry, { secrets, client, prompt: browser, signal: soon() });
  expect(login.requests.filter(({ path }) => path === '/register')).toHaveLength(1);
});

test('takes the address that a person pastes', async () => {
  await using place = await guardedServer();
  let shown = '';
  const prompt: LoginPrompt = {
    show: async (address) => {
      shown = address;
    },
    pasted: async () => {
      const page = await fetch(shown, { redirect: 'manual' });
      return ` ${page.headers.get('location')}\n`;
    },
  };
  const { secrets, entry } = place;
  expect(await logIn(entry, { secrets, client, prompt, signal: soon() })).toBe('logged-in');
});

test('refuses an address from another login, pasted or sent', async () => {
  await using place = await guardedServer();
  const { secrets, entry } = place;
  const strange = 'http://127.0.0.1:1/callback?code=stolen&state=another';
  const pasting: LoginPrompt = { show: async () => undefined, pasted: async () => strange };
  await expect(
    logIn(entry, { secrets, client, prompt: pasting, signal: soon() }),
  ).rejects.toMatchObject({ code: 'login_required', message: expect.stringContaining('paste') });
  const sending: LoginPrompt = {
    show: async (address) => {
      const back = new URL(new URL(address).searchParams.get('redirect_uri') ?? '');
      back.search = '?code=stolen&state=another';
      expect((await fetch(back)).status).toBe(400);
      await browser.show(address);
    },
  };
  expect(await logIn(entry, { secrets, client, prompt: sending, signal: soon() })).toBe(
    'logged-in',
  );
});

test('a request for what is no path does not end the login', async () => {
  await using place = await guardedServer();
  const { secrets, entry } = place;
  const prompt: LoginPrompt = {
    show: async (address) => {
      const back = new URL(new URL(address).searchParams.get('redirect_uri') ?? '');
      const [answer] = await once(get({ port: back.port, path: '//' }), 'response');
      expect(answer.resume().statusCode).toBe(400);
      await browser.show(address);
    },
  };
  expect(await logIn(entry, { secrets, client, prompt, signal: soon() })).toBe('logged-in');
});

test('says that the person refused, and can be cancelled', async () => {
  await using place = await guardedServer();
  const { login, secrets, entry } = place;
  login.faults.denies = true;
  await expect(logIn(entry, { secrets, client, prompt: browser, signal: soon() })).rejects.toThrow(
    'access_denied',
  );
  const controller = new AbortController();
  const prompt: LoginPrompt = { show: async () => controller.abort() };
  await expect(
    logIn(entry, { secrets, client, prompt, signal: controller.signal }),
  ).rejects.toMatchObject({ code: 'cancelled' });
});

test.each([
  'smb://evil.example/share',
  'file:///etc/passwd',
  'vscode://evil.example/open',
  'http://evil.example/authorize',
  'https://login.example@evil.example/',
])('shows nobody %s as the page of a login', async (address) => {
  await using place = await guardedServer();
  const { login, secrets, entry } = place;
  login.faults.authorizationEndpoint = address;
  const shown: string[] = [];
  const prompt: LoginPrompt = { show: async (page) => void shown.push(page) };
  const attempt = logIn(entry, { secrets, client, prompt, signal: soon() });
  await expect(attempt).rejects.toMatchObject({
    code: 'login_required',
    message: expect.stringContaining('only https pages are opened'),
  });
  expect(shown).toEqual([]);
});

test.each(['resourceMetadata', 'tokenEndpoint', 'registrationEndpoint'] as const)(
  'a login does not go where %s leads when that is neither https nor here',
  async (named) => {
    await using place = await guardedServer();
    const { login, server, secrets, entry } = place;
    const elsewhere = 'http://inside.example:8080/admin';
    if (named === 'resourceMetadata') {
      server.faults.challenge = `Bearer resource_metadata="${elsewhere}"`;
    } else login.faults[named] = elsewhere;
    const shown: string[] = [];
    const prompt: LoginPrompt = { show: async (page) => void shown.push(page) };
    const attempt = logIn(entry, { secrets, client, prompt, signal: soon() });
    await expect(attempt).rejects.toMatchObject({
      code: 'login_required',
      message: expect.stringContaining(`${elsewhere}, which is not https. Nothing was sent there.`),
    });
    expect(shown).toEqual([]);
  },
);

test('needs no login where none is asked for', async () => {
  await using server = await new ScriptedHttpServer({}, { json: true }).start();
  const secrets = createMemorySecretStore();
  const entry = entryFor(server);
  expect(await logIn(entry, { secrets, client, prompt: browser, signal: soon() })).toBe(
    'not-needed',
  );
});

test('logs out here and there', async () => {
  await using place = await guardedServer();
  const { login, secrets, entry } = place;
  await logIn(entry, { secrets, client, prompt: browser, signal: soon() });
  expect(await logOut(entry, secrets, soon())).toBe(true);
  expect(login.requests.at(-1)).toMatchObject({ path: '/revoke' });
  expect(await logOut(entry, secrets, soon())).toBe(false);
  await expect(place.connect()).rejects.toMatchObject({ code: 'login_required' });
});

test('has nothing to log in to for a program', async () => {
  const options = { secrets: createMemorySecretStore(), client, prompt: browser, signal: soon() };
  await expect(logIn(scriptedServerConfig(), options)).rejects.toMatchObject({
    code: 'settings_invalid',
  });
});

/** Does what a browser does at a login page that asks nothing. */
const browser: LoginPrompt = {
  show: async (address) => {
    const page = await fetch(address);
    await page.text();
  },
};

async function guardedServer() {
  const bench = new ConnectionBench();
  const server = await new ScriptedHttpServer({}, { json: true }).start();
  const login = await new ScriptedLoginServer(server).start();
  const secrets = createMemorySecretStore();
  const entry = entryFor(server);
  return {
    bench,
    server,
    login,
    secrets,
    entry,
    connect: () => bench.external(server.url, entry, { authorizerFor: oauthAuthorizers(secrets) }),
    async [Symbol.asyncDispose]() {
      await bench[Symbol.asyncDispose]();
      await login[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

function entryFor(server: ScriptedHttpServer): ServerConfig {
  const config = { url: server.url };
  return scriptedServerConfig(
    {},
    { transport: 'http', deploymentType: 'external', httpConfig: config },
  );
}
