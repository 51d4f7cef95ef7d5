import { execFile } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { journalled, soon } from '@errand/machine/testing';
import { expect, test, vi } from 'vitest';
import { patient, TestVault } from './errand-process.ts';
import { gone } from './process-state.ts';
import { cookieBy, linksOf } from './workbench-page.ts';

test(
  'errand serve prints one link, serves the vault behind it, and leaves nothing at Ctrl-C',
  patient,
  async () => {
    using vault = TestVault.trusted();
    vault.add(vault.scripted());
    using errand = vault.start('serve', '--port', '0', '--json');
    const { url, gatewayUrl } = await linksOf(errand);
    expect(errand.stdout.trim().split('\n')).toHaveLength(1);
    expect(gatewayUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    const state = await get(url, '/api/state');
    expect(state).toMatchObject({ servers: [{ name: 'fix', trust: 'trusted' }] });
    const { pid } = await journalled(vault.journal, ({ kind }) => kind === 'started', soon());
    errand.child.kill('SIGINT');
    expect(await errand.ended).toMatchObject({ code: 0 });
    await gone(pid, 10_000);
  },
);

test(
  'a restart ends every link and cookie, and the state folder keeps neither',
  patient,
  async () => {
    using vault = new TestVault();
    using first = vault.start('serve', '--port', '0', '--json');
    const { url } = await linksOf(first);
    const old = await cookieBy(url);
    const stored = storedTexts(join(vault.home, 'state'));
    expect(stored).not.toContain(old.split('=')[1]);
    expect(stored).not.toContain(new URL(url).searchParams.get('code'));
    first.child.kill('SIGTERM');
    await first.ended;
    using second = vault.start('serve', '--port', new URL(url).port, '--json');
    const { url: next } = await linksOf(second);
    expect(next).not.toBe(url);
    const answer = await fetch(new URL('/api/notes', url), { headers: { cookie: old } });
    expect(answer.status).toBe(403);
    expect((await fetch(url)).status).toBe(403);
    expect(await get(next, '/api/notes')).toMatchObject({ isCut: false });
    second.child.kill('SIGTERM');
    await second.ended;
  },
);

test(
  'admits one browser of this user, once, by the link given to the opener, and no other user',
  patient,
  async () => {
    using vault = new TestVault();
    const seen = vault.path('opened.txt');
    const opener = vault.path('browser.sh');
    writeFileSync(
      opener,
      `#!/bin/sh\nprintf '%s' "$*" > '${seen}.new'; mv '${seen}.new' '${seen}'\n`,
    );
    chmodSync(opener, 0o755);
    vault.env.BROWSER = opener;
    using errand = vault.start('serve', '--port', '0', '--open', '--json');
    const { url } = await linksOf(errand);
    await vi.waitFor(() => readFileSync(seen), { timeout: 30_000 });
    const handed = readFileSync(seen, 'utf8');
    expect(handed).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/open\?code=[\w-]{43}$/);
    expect(handed).not.toBe(url);
    if (process.getuid?.() === 0) expect(await statusFor(handed, 65_534)).toBe('403');
    expect(await get(handed, '/api/notes')).toMatchObject({ isCut: false });
    expect((await fetch(handed)).status).toBe(403);
    expect(await get(url, '/api/notes')).toMatchObject({ isCut: false });
    errand.child.kill('SIGTERM');
    await errand.ended;
  },
);

test('the gateway beside the workbench answers only programs with its token', patient, async () => {
  using vault = TestVault.trusted({});
  const config = await vault.errand('serve', '--print-config', 'vscode');
  const { headers } = JSON.parse(config.stdout).servers.errand;
  using errand = vault.start('serve', '--port', '0', '--json');
  const { url, gatewayUrl } = await linksOf(errand);
  const cookie = await cookieBy(url);
  expect(await gatewayStatus(gatewayUrl, {})).toBe(401);
  expect(await gatewayStatus(gatewayUrl, { cookie })).toBe(401);
  expect(await gatewayStatus(gatewayUrl, headers)).toBe(200);
  errand.child.kill('SIGTERM');
  await errand.ended;
  using open = vault.start('serve', '--port', '0', '--no-token', '--json');
  expect(await gatewayStatus((await linksOf(open)).gatewayUrl, {})).toBe(200);
});

test('a port that is taken is named, and another can be chosen', patient, async () => {
  using vault = new TestVault();
  using first = vault.start('serve', '--port', '0', '--json');
  const { port } = new URL((await linksOf(first)).url);
  const ended = await vault.errand('serve', '--port', port);
  expect(ended.code).not.toBe(0);
  expect(ended.stderr).toContain(`Port ${port} is already in use`);
  first.child.kill('SIGTERM');
  await first.ended;
});

async function gatewayStatus(url: string, headers: Record<string, string>): Promise<number> {
  const clientInfo = { name: 'other', version: '1.0.0' };
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
  const type = { 'Content-Type': 'application/json' };
  return (await fetch(url, { method: 'POST', headers: { ...headers, ...type }, body })).status;
}

/** What a program of another user is answered. */
async function statusFor(url: string, uid: number): Promise<string> {
  // Only once it runs: another user may not be able to read this checkout.
  const become = `process.setgid(${uid}); process.setuid(${uid});`;
  const ask = `${become} fetch(process.argv[1]).then(({ status }) => console.log(status))`;
  const options = { timeout: 30_000 };
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', ask, url], options);
  return stdout.trim();
}

/** Everything that is written in the files of a folder. */
function storedTexts(folder: string): string {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'))
    .join('\n');
}

async function get(link: string, path: string): Promise<unknown> {
  const cookie = await cookieBy(link);
  const answer = await fetch(new URL(path, link), { headers: { cookie } });
  return answer.json();
}

test('escapes terminal codes in file names in the terminal of the workbench', patient, async () => {
  using vault = new TestVault({});
  const name = 'n\u001b]0;title\u0007.md';
  symlinkSync(name, vault.path(name));
  using errand = vault.start('serve', '--port', '0', '--json');
  await errand.says(/"url"/);
  const { url } = JSON.parse(errand.stdout);
  const cookie = (await fetch(url)).headers.get('set-cookie')?.split(';')[0] ?? '';
  const note = new URL(`/api/note?path=${encodeURIComponent(name)}`, url);
  expect((await fetch(note, { headers: { cookie } })).status).toBe(500);
  await errand.says(/ELOOP/);
  errand.child.kill('SIGINT');
  const { stderr } = await errand.ended;
  expect(stderr).toContain('title');
  expect(stderr).not.toContain('\u001b');
  expect(stderr).not.toContain('\u0007');
});
