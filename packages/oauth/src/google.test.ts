import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  gmailScopes,
  google,
  googleAddress,
  missingScopes,
  readGoogleClient,
  tokenAddress,
} from './google.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'errand-client-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const installed = { client_id: 'id', client_secret: 'secret', auth_uri: google.authorizeUrl };

function read(content: unknown) {
  const path = join(folder, 'client.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return readGoogleClient(path);
}

test('reads the file of a desktop client', async () => {
  expect(await read({ installed })).toEqual({
    client: { id: 'id', secret: 'secret' },
    authorizeUrl: google.authorizeUrl,
    tokenUrl: google.tokenUrl,
  });
});

test.each([
  ['not JSON', 'no', 'not JSON'],
  ['a web client', { web: installed }, 'Web application'],
  ['a service account', { type: 'service_account', client_id: '1' }, 'service account'],
  ['no client', { installed: {} }, 'client_id'],
  [
    'an address of a stranger',
    { installed: { ...installed, token_uri: 'https://evil.example/token' } },
    'neither',
  ],
  [
    'a name like Google’s',
    { installed: { ...installed, auth_uri: 'https://notgoogle.com/' } },
    'neither',
  ],
  ['no https', { installed: { ...installed, auth_uri: 'http://accounts.google.com/' } }, 'neither'],
])('refuses a client file with %s', async (_what, content, why) => {
  await expect(read(content)).rejects.toMatchObject({
    code: 'client_file',
    message: expect.stringContaining(why),
  });
});

test('says that a client file is missing', async () => {
  await expect(readGoogleClient(join(folder, 'none.json'))).rejects.toThrow('ENOENT');
});

test('takes an address of this computer for tests', () => {
  expect(googleAddress('x', 'http://127.0.0.1:1/token')).toBe('http://127.0.0.1:1/token');
  expect(() => googleAddress('x', 'http://127.0.0.1.evil.example/')).toThrow('neither');
  expect(tokenAddress({ tokenUrl: 'http://127.0.0.1:1/token' })).toBe('http://127.0.0.1:1/token');
  expect(tokenAddress({ tokenUrl: 'https://evil.example/token' })).toBe(google.tokenUrl);
});

test('names the rights that were not granted', () => {
  expect(missingScopes(gmailScopes)).toEqual([]);
  expect(missingScopes(['https://mail.google.com/'])).toEqual([]);
  expect(missingScopes([gmailScopes[0]])).toEqual(gmailScopes.slice(1));
});
