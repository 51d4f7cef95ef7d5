import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  createLoopbackGuard,
  Program,
  startFaultProxy,
  startGoogle,
} from '@errand/server-kit/testing';
import { expect, test } from 'vitest';
import { patient, TestVault } from './errand-process.ts';

const ada = 'ada@example.org';

test(
  'logs in to Gmail, shows and checks the login, and logs out here and there',
  patient,
  async () => {
    await using place = await openMail();
    const { vault, proxy, tokenFile } = place;
    expect(await vault.errand('mail', 'status')).toMatchObject({
      code: 1,
      stdout: 'Nobody is logged in to Gmail. Log in with: errand mail login\n',
    });
    const clientless = await vault.errand('mail', 'login');
    expect(clientless).toMatchObject({ code: 2, stderr: expect.stringContaining('--client FILE') });

    void proxy.fault({ path: '/gmail/v1/users/me/profile' }, answer({ emailAddress: ada }));
    const { code, stdout, stderr } = await place.logIn('--client', place.clientFile);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `Logged in to Gmail as ${ada}.\n` });
    const stored = JSON.parse(readFileSync(tokenFile, 'utf8'));
    expect(stored).toMatchObject({
      account: ada,
      client_id: 'client-id',
      refresh_token: expect.any(String),
    });
    expect(statSync(tokenFile).mode & 0o777).toBe(0o600);
    for (const secret of [stored.access_token, stored.refresh_token, 'client-secret']) {
      expect(stdout + stderr).not.toContain(secret);
    }

    const status = await vault.json('mail', 'status', '--check');
    expect(status).toMatchObject({
      code: 0,
      json: { state: 'logged-in', account: ada, missingScopes: [], isRenewable: true, tokenFile },
    });
    const renewed = JSON.parse(readFileSync(tokenFile, 'utf8'));
    expect(renewed.refresh_token).toBe(stored.refresh_token);
    expect(renewed.access_token).not.toBe(stored.access_token);

    void proxy.fault({ path: '/oauth2/token' }, answer({ error: 'invalid_grant' }, 400));
    const ended = await vault.errand('mail', 'status', '--check');
    expect(ended).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('log in again with: errand mail login'),
    });

    expect(await vault.json('mail', 'logout')).toMatchObject({
      code: 0,
      json: { wasLoggedIn: true, isRevoked: true },
    });
    expect(proxy.forwarded.at(-1)).toMatchObject({
      path: '/oauth2/revoke',
      body: `token=${stored.refresh_token}`,
    });
    expect(existsSync(tokenFile)).toBe(false);
    expect(await vault.json('mail', 'logout')).toMatchObject({ json: { wasLoggedIn: false } });
    expect(place.guard.refused()).toEqual([]);
  },
);

test(
  'the mail server finds the login, and renews it when Gmail refuses its token',
  patient,
  async () => {
    await using place = await openMail();
    const { vault, proxy, tokenFile } = place;
    const server = new URL('../../servers/gmail/src/main.ts', import.meta.url);
    const env = vault.env as Record<string, string>;
    await using gmail = new Program(server, ['--vault', vault.folder], env);
    await gmail.client.initialize();
    const before = await gmail.client.call('list_emails');
    expect(JSON.stringify(before)).toContain('errand mail login');
    void proxy.fault({ path: /profile$/ }, answer({ emailAddress: ada }));
    await place.logIn('--client', place.clientFile);
    const stored = JSON.parse(readFileSync(tokenFile, 'utf8'));
    void proxy.fault({ path: /messages$/ }, answer({ error: { code: 401 } }, 401));
    const { result } = await gmail.client.call('list_emails');
    expect(result).toMatchObject({ structuredContent: { emails: [] } });
    const renewed = JSON.parse(readFileSync(tokenFile, 'utf8'));
    expect(renewed).toMatchObject({ account: ada, refresh_token: stored.refresh_token });
    expect(renewed.access_token).not.toBe(stored.access_token);
    expect(place.guard.refused()).toEqual([]);
  },
);

test(
  'stores nothing when a login does not work, and says what Gmail refuses',
  patient,
  async () => {
    await using place = await openMail();
    const { vault, proxy } = place;
    void proxy.fault({ path: '/oauth2/token' }, answer({ error: 'invalid_client' }, 401));
    const refused = await place.logIn('--client', place.clientFile);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('invalid_client') });
    void proxy.fault(
      { path: '/oauth2/token' },
      answer({ access_token: 'short', expires_in: 3600 }),
    );
    const short = await place.logIn('--client', place.clientFile);
    expect(short).toMatchObject({ code: 1, stderr: expect.stringContaining('nothing was stored') });
    expect(existsSync(place.tokenFile)).toBe(false);

    vault.env.GMAIL_API_URL = 'https://evil.example';
    const elsewhere = await vault.errand('mail', 'login', '--client', place.clientFile);
    expect(elsewhere).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Nothing was sent there'),
    });
    vault.env.GMAIL_API_URL = proxy.url;
    const message = 'Gmail API has not been used in project 1 before or it is disabled.';
    void proxy.fault({ path: /profile$/ }, answer({ error: { message } }, 403));
    vault.env.GMAIL_CREDENTIALS_PATH = place.clientFile;
    const disabled = await place.logIn();
    expect(disabled).toMatchObject({ code: 0, stderr: expect.stringContaining(message) });
    expect(place.guard.refused()).toEqual([]);
  },
);

function answer(body: object, status = 200) {
  return { kind: 'answer', status, body: JSON.stringify(body) } as const;
}

/** A person with a client of their own, and Google on this computer. */
async function openMail() {
  const google = await startGoogle({ email: ada });
  const proxy = await startFaultProxy(google.url);
  const guard = createLoopbackGuard();
  const vault = new TestVault({});
  Object.assign(vault.env, guard.env, { GMAIL_API_URL: proxy.url });
  const clientFile = vault.path('client.json');
  const installed = {
    client_id: 'client-id',
    client_secret: 'client-secret',
    auth_uri: `${proxy.url}/o/oauth2/v2/auth`,
    token_uri: `${proxy.url}/oauth2/token`,
  };
  writeFileSync(clientFile, JSON.stringify({ installed }));
  return {
    vault,
    proxy,
    guard,
    clientFile,
    tokenFile: join(vault.home, 'state', 'errand', 'mail', 'gmail.json'),
    /** Logs in and chooses the account on Google's page, as the browser of a person does. */
    async logIn(...args: readonly string[]) {
      using login = vault.start('mail', 'login', ...args);
      await login.says(/Go to:\nhttp:.*\n/);
      const [page = ''] = /http:\S+/.exec(login.stderr) ?? [];
      const { searchParams } = new URL(page);
      expect(Object.fromEntries(searchParams)).toMatchObject({
        access_type: 'offline',
        prompt: 'consent',
        code_challenge_method: 'S256',
        scope: expect.stringContaining('gmail.send'),
      });
      searchParams.set('email', ada);
      const chosen = await fetch(`${proxy.url}/o/oauth2/v2/auth/callback`, {
        method: 'POST',
        body: searchParams,
      });
      expect(await chosen.text()).toContain('You can close this window');
      return await login.ended;
    },
    async [Symbol.asyncDispose]() {
      vault[Symbol.dispose]();
      guard[Symbol.dispose]();
      await proxy[Symbol.asyncDispose]();
      await google[Symbol.asyncDispose]();
    },
  };
}
