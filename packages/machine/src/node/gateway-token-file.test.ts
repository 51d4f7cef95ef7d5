import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openGatewayTokenFile } from './gateway-token-file.ts';

let root: string;
const state = () => join(root, 'state');

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'errand-gateway-token-'));
  for (const vault of ['a', 'b']) await mkdir(join(root, vault));
});

afterEach(() => rm(root, { recursive: true, force: true }));

test('a vault keeps its token over restarts, in a file that only its owner can read', async () => {
  const token = await (await open('a')).read();
  expect(token).toMatch(/^[\w-]{43}$/);
  expect(await (await open('a')).read()).toBe(token);
  expect(await (await open('b')).read()).not.toBe(token);
  expect((await stat(join(state(), 'gateway.json'))).mode & 0o777).toBe(0o600);
});

test('programs that start at once agree on one token', async () => {
  const files = await Promise.all(Array.from({ length: 8 }, () => open('a')));
  const tokens = await Promise.all(files.map((file) => file.read()));
  expect(new Set(tokens).size).toBe(1);
});

test('a new token replaces the old one, of this vault only', async () => {
  const [old, other] = [await (await open('a')).read(), await (await open('b')).read()];
  const renewed = await (await open('a')).renew();
  expect(renewed).not.toBe(old);
  expect(await (await open('a')).read()).toBe(renewed);
  expect(await (await open('b')).read()).toBe(other);
});

test('a file that others could read is made private, and one that is broken is left as it is', async () => {
  await (await open('a')).read();
  const path = join(state(), 'gateway.json');
  await chmod(path, 0o644);
  await (await open('a')).read();
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  await writeFile(path, '{ "version": 1, "tokens": { "x": "short" } }');
  await expect((await open('a')).renew()).rejects.toMatchObject({ code: 'settings_invalid' });
  expect(await readFile(path, 'utf8')).toContain('short');
});

function open(vault: string) {
  return openGatewayTokenFile(state(), join(root, vault));
}
