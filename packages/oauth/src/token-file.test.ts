import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTokenFile } from './token-file.ts';
import type { Tokens } from './tokens.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'errand-tokens-'));
  path = join(folder, 'state', 'gmail', 'tokens.json');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const tokens: Tokens = {
  accessToken: 'access',
  refreshToken: 'refresh',
  expiresAt: 1_900_000_000_000,
  scopes: ['a', 'b'],
  account: 'a@example.org',
  client: { id: 'id', secret: 'hush' },
  tokenUrl: 'https://oauth2.googleapis.com/token',
};

test('keeps tokens in a file of their owner alone', async () => {
  const store = openTokenFile(path);
  expect(await store.read()).toBeUndefined();
  await store.save(tokens);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(await openTokenFile(path).read()).toEqual(tokens);
  expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700);
  expect(readdirSync(join(path, '..'))).toEqual(['tokens.json']);
  await store.clear();
  await store.clear();
  expect(await store.read()).toBeUndefined();
});

test('keeps fields of other programs, and takes rights from others that can read it', async () => {
  const store = openTokenFile(path);
  await store.save(tokens);
  const fields = { refresh_token: 'theirs', client_id: 'id', universe_domain: 'googleapis.com' };
  writeFileSync(path, JSON.stringify(fields));
  chmodSync(path, 0o644);
  expect(await store.read()).toMatchObject({
    accessToken: '',
    refreshToken: 'theirs',
    expiresAt: 0,
  });
  expect(statSync(path).mode & 0o777).toBe(0o600);
  await store.save(tokens);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({
    universe_domain: 'googleapis.com',
    refresh_token: 'refresh',
    scope: 'a b',
  });
});

test('says what is wrong with a file that holds no tokens, and lets a login replace it', async () => {
  const store = openTokenFile(path);
  await store.save(tokens);
  writeFileSync(path, '{"access_tok');
  await expect(store.read()).rejects.toMatchObject({
    code: 'token_file',
    message: expect.stringContaining('log in again'),
  });
  await store.save(tokens);
  expect(await store.read()).toEqual(tokens);
});

test('updates one after the other, also from two stores', async () => {
  const stores = [openTokenFile(path), openTokenFile(path)];
  await stores[0]?.save({ ...tokens, accessToken: '0' });
  await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      stores[index % 2]?.update(async (current) => ({
        ...tokens,
        accessToken: String(Number(current?.accessToken) + 1),
      })),
    ),
  );
  expect((await stores[1]?.read())?.accessToken).toBe('20');
});

test('leaves the file as it was when a change fails', async () => {
  const store = openTokenFile(path);
  await store.save(tokens);
  await expect(store.update(() => Promise.reject(new Error('no answer')))).rejects.toThrow(
    'no answer',
  );
  expect(await store.read()).toEqual(tokens);
});
