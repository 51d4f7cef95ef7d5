import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LoginError, openTokenFile, type TokenStore, type Tokens } from '@errand/oauth';
import { expect, onTestFinished, test } from 'vitest';
import { TestClock } from '../testing/test-clock.ts';
import { createAccessTokens } from './access-tokens.ts';

const hour = 3_600_000;

test('refreshes once for fifty calls that wait, and saves before it answers', async () => {
  const { tokens, store, refreshes, clock } = open();
  clock.advance(hour);
  const got = await Promise.all(Array.from({ length: 50 }, () => tokens.get()));
  expect(new Set(got)).toEqual(new Set(['access-1']));
  expect(refreshes).toEqual(['refresh-0']);
  expect(store.held).toMatchObject({ accessToken: 'access-1', refreshToken: 'refresh-0' });
});

test('refreshes a little before the token expires, and not earlier', async () => {
  const { tokens, clock, refreshes } = open();
  clock.advance(hour - 61_000);
  expect(await tokens.get()).toBe('access-0');
  clock.advance(2000);
  expect(await tokens.get()).toBe('access-1');
  expect(refreshes).toHaveLength(1);
});

test('refreshes a token that the service refused, once', async () => {
  const { tokens, refreshes } = open();
  const token = await tokens.get();
  for (let count = 0; count < 5; count += 1) tokens.reject(token);
  expect(await Promise.all([tokens.get(), tokens.get()])).toEqual(['access-1', 'access-1']);
  tokens.reject(token);
  expect(await tokens.get()).toBe('access-1');
  expect(refreshes).toHaveLength(1);
});

test('does not refresh again and again for a service that refuses every token', async () => {
  const { tokens, refreshes, clock } = open();
  for (let count = 0; count < 20; count += 1) tokens.reject(await tokens.get());
  expect(refreshes).toHaveLength(1);
  clock.advance(30_000);
  tokens.reject(await tokens.get());
  expect(await tokens.get()).toBe('access-2');
});

test('takes over what another process has refreshed or a new login has saved', async () => {
  const { tokens, store, refreshes } = open();
  tokens.reject(await tokens.get());
  await store.save({ accessToken: 'theirs', refreshToken: 'new', expiresAt: Date.UTC(2030, 0) });
  expect(await tokens.get()).toBe('theirs');
  expect(refreshes).toEqual([]);
});

test('refreshes once for several servers that share a file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'errand-access-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const clock = new TestClock();
  const path = join(folder, 'tokens.json');
  await openTokenFile(path).save({ accessToken: 'old', refreshToken: 'first', expiresAt: 0 });
  const used: (string | undefined)[] = [];
  // A service that replaces the refresh token each time: who used an old one would be logged out.
  const refresh = async ({ refreshToken }: Tokens) => {
    used.push(refreshToken);
    await new Promise(setImmediate);
    const expiresAt = clock.now() + hour;
    return { accessToken: `access-${used.length}`, refreshToken: `next-${used.length}`, expiresAt };
  };
  const servers = [1, 2, 3].map(() =>
    createAccessTokens({ store: openTokenFile(path), refresh, clock }),
  );
  const ask = () => Promise.all(servers.flatMap((server) => [server.get(), server.get()]));
  expect(new Set(await ask())).toEqual(new Set(['access-1']));
  clock.advance(60_000);
  for (const server of servers) server.reject('access-1');
  expect(new Set(await ask())).toEqual(new Set(['access-2']));
  expect(used).toEqual(['first', 'next-1']);
});

test('keeps a refresh token that the answer replaces', async () => {
  const { tokens, store, clock } = open({ answer: { refreshToken: 'rotated' } });
  clock.advance(hour);
  await tokens.get();
  expect(store.held?.refreshToken).toBe('rotated');
});

test('does not hand out a token that could not be saved, and saves it at the next call', async () => {
  const { tokens, store, refreshes, clock } = open({ answer: { refreshToken: 'rotated' } });
  clock.advance(hour);
  store.isFull = true;
  await expect(tokens.get()).rejects.toThrow('no space');
  store.isFull = false;
  expect(await tokens.get()).toBe('access-1');
  expect(store.held?.refreshToken).toBe('rotated');
  expect(refreshes).toHaveLength(1);
});

test('says that somebody has to log in, and asks no second time about a login that has ended', async () => {
  const ended = new LoginError('auth_required', 'The login has ended (invalid_grant).');
  const { tokens, store, refreshes, clock } = open({ failure: ended });
  clock.advance(hour);
  for (let count = 0; count < 3; count += 1) {
    await expect(tokens.get()).rejects.toMatchObject({
      code: 'auth_required',
      message: expect.stringContaining('Run the login.'),
    });
  }
  expect(refreshes).toHaveLength(1);
  expect(store.held?.refreshToken).toBe('refresh-0');
  expect(await tokens.status()).toMatchObject({ state: 'ended', account: 'a@example.org' });
  await store.save({ accessToken: 'fresh', refreshToken: 'other', expiresAt: Date.UTC(2030, 0) });
  expect(await tokens.get()).toBe('fresh');
  await store.clear();
  await expect(tokens.get()).rejects.toMatchObject({ code: 'auth_required' });
  expect(await tokens.status()).toMatchObject({ state: 'logged-out' });
});

test('uses a token to its end while the authorization server does not answer', async () => {
  const { tokens, clock } = open({ failure: new LoginError('unavailable') });
  clock.advance(hour - 1000);
  expect(await tokens.get()).toBe('access-0');
  clock.advance(1000);
  await expect(tokens.get()).rejects.toMatchObject({ code: 'mcp_unavailable' });
  expect((await tokens.status()).state).toBe('logged-in');
});

test('one caller that gives up does not end the refresh for the others', async () => {
  const { tokens, clock, release } = open({ isHeld: true });
  clock.advance(hour);
  const giveUp = new AbortController();
  const first = tokens.get(giveUp.signal);
  const second = tokens.get();
  giveUp.abort(new Error('gave up'));
  await expect(first).rejects.toThrow('gave up');
  release();
  expect(await second).toBe('access-1');
});

test('a clock that is set back does not keep an expired token in use once it is refused', async () => {
  const { tokens, clock } = open();
  clock.setTimeOfDay(Date.UTC(2020, 0));
  const token = await tokens.get();
  tokens.reject(token);
  expect(await tokens.get()).toBe('access-1');
});

interface Options {
  readonly answer?: Partial<Tokens>;
  readonly failure?: Error;
  readonly isHeld?: boolean;
}

function open({ answer, failure, isHeld = false }: Options = {}) {
  const clock = new TestClock();
  const store = new MemoryStore(clock.now() + hour);
  const refreshes: (string | undefined)[] = [];
  const gate = Promise.withResolvers<void>();
  if (!isHeld) gate.resolve();
  const tokens = createAccessTokens({
    store,
    clock,
    howToLogIn: 'Run the login.',
    refresh: async ({ refreshToken }) => {
      refreshes.push(refreshToken);
      await gate.promise;
      if (failure !== undefined) throw failure;
      const accessToken = `access-${refreshes.length}`;
      return { accessToken, expiresAt: clock.now() + hour, ...answer };
    },
  });
  return { tokens, store, refreshes, clock, release: gate.resolve };
}

class MemoryStore implements TokenStore {
  isFull = false;
  held: Tokens | undefined;

  constructor(expiresAt: number) {
    const account = 'a@example.org';
    this.held = { accessToken: 'access-0', refreshToken: 'refresh-0', expiresAt, account };
  }

  async read(): Promise<Tokens | undefined> {
    return this.held;
  }

  async save(tokens: Tokens): Promise<void> {
    if (this.isFull) throw new Error('no space');
    this.held = tokens;
  }

  async clear(): Promise<void> {
    this.held = undefined;
  }
}
