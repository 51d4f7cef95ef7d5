import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { patient, run, TestVault } from './errand-process.ts';

test(
  'every user of this machine can reach the gateway’s port, and only programs with its token use it',
  patient,
  async () => {
    using vault = TestVault.trusted({});
    using errand = vault.start('gateway', '--port', '0', '--json');
    await errand.says(/"url".*\n/);
    const { url } = JSON.parse(errand.stdout) as { url: string };
    await errand.says(/--print-config PROGRAM/);
    const { headers } = await cursorEntry(vault, 'gateway', '--port', new URL(url).port);
    expect((await post(url, {})).status).toBe(401);
    expect((await post(url, { Authorization: 'Bearer guess' })).status).toBe(401);
    expect((await post(url, headers)).status).toBe(200);
    const file = join(vault.home, 'state/errand/gateway.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(vault.read('.errand/settings.json')).not.toContain('Bearer');
  },
);

test('the token outlives the gateway, until a new one is asked for', patient, async () => {
  using vault = TestVault.trusted({});
  const http = ['gateway', '--port', '3333'];
  const { url, headers } = await cursorEntry(vault, ...http);
  expect(url).toBe('http://127.0.0.1:3333/mcp');
  expect(headers.Authorization).toMatch(/^Bearer [\w-]{43}$/);
  expect(await cursorEntry(vault, ...http)).toEqual({ url, headers });
  expect((await cursorEntry(vault, 'serve')).headers).toEqual(headers);
  const renewed = await cursorEntry(vault, ...http, '--new-token');
  expect(renewed.headers).not.toEqual(headers);
  expect((await cursorEntry(vault, ...http)).headers).toEqual(renewed.headers);
  expect((await cursorEntry(vault, ...http, '--no-token')).headers).toBeUndefined();
  const both = await vault.errand(...http, '--no-token', '--new-token');
  expect(both).toMatchObject({ code: 2, stdout: '' });
  vault.env.ERRAND_TOKEN = 'my-own';
  const own = { Authorization: 'Bearer my-own' };
  expect((await cursorEntry(vault, ...http)).headers).toEqual(own);
});

test('configures a program that takes no URL to start the gateway itself', patient, async () => {
  using vault = TestVault.trusted({});
  vault.env.PATH = '/usr/local/bin:/usr/bin:/bin';
  for (const args of [['gateway'], ['gateway', '--port', '3333'], ['serve']]) {
    const { code, stdout } = await vault.errand(...args, '--print-config', 'claude');
    expect(code).toBe(0);
    const { command, args: started } = JSON.parse(stdout).mcpServers.errand;
    expect(started.slice(-4)).toEqual(['gateway', '--stdio', '--vault', vault.folder]);
    const version = await run(command, [...started.slice(0, -4), '--version'], vault);
    expect(version).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+/) });
  }
  const anyPort = await vault.errand('gateway', '--port', '0', '--print-config', 'vscode');
  expect(anyPort).toMatchObject({ code: 2, stderr: expect.stringContaining('Name one') });
  expect(await vault.errand('serve', '--print-config', 'nano')).toMatchObject({ code: 2 });
});

test(
  'with --no-token every program of this machine is answered, and none elsewhere',
  patient,
  async () => {
    using vault = TestVault.trusted({});
    using errand = vault.start('gateway', '--port', '0', '--no-token', '--json');
    await errand.says(/"url".*\n/);
    const { url } = JSON.parse(errand.stdout) as { url: string };
    expect((await post(url, {})).status).toBe(200);
    const beyond = await vault.errand('gateway', '--host', '0.0.0.0', '--no-token');
    expect(beyond).toMatchObject({ code: 2, stdout: '' });
    expect(beyond.stderr).toContain('leave out --no-token');
  },
);

interface CursorEntry {
  readonly url: string;
  readonly headers: Record<string, string>;
}

/** What `--print-config cursor` says. */
async function cursorEntry(vault: TestVault, ...args: readonly string[]): Promise<CursorEntry> {
  const { stdout } = await vault.errand(...args, '--print-config', 'cursor');
  return JSON.parse(stdout).mcpServers.errand;
}

function post(url: string, headers: Record<string, string>): Promise<Response> {
  const params = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'other', version: '1.0.0' },
  };
  return fetch(url, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
  });
}
