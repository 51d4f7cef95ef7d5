import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ScriptedHttpServer } from '@errand/machine/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ScriptedVault } from '../../testing/scripted-vault.ts';

const patience = { timeout: 40_000 };
const echo = '```remote\ntool: echo\ntext: hello\n```\n\nBelow.\n';

const folder = mkdtempSync(join(tmpdir(), 'errand-certificate-'));
const [keyFile, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];

beforeAll(() => {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const names = ['-subj', '/CN=errand', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const files = ['-days', '2', '-keyout', keyFile, '-out', certificate];
  execFileSync('openssl', ['req', '-x509', ...key, ...names, ...files], { stdio: 'ignore' });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ownTls = () => ({
  key: readFileSync(keyFile, 'utf8'),
  cert: readFileSync(certificate, 'utf8'),
});

/** A vault whose one server is reached by its address. */
async function openWith(
  url: string,
  { note = echo, transport = 'http' }: { readonly note?: string; readonly transport?: string } = {},
): Promise<ScriptedVault> {
  const address = transport === 'sse' ? { sseConfig: { url } } : { httpConfig: { url } };
  const server = { name: 'remote', transport, deploymentType: 'external', enabled: true };
  const data = JSON.stringify({ version: 1, mcpServers: [{ ...server, ...address }] });
  const env = { NODE_EXTRA_CA_CERTS: certificate };
  const vault = await ScriptedVault.open(note, { data, env });
  await vault.show('source');
  return vault;
}

test.each([
  ['http', '2025-11-25'],
  ['https', '2026-07-28'],
  ['sse', '2024-11-05'],
])(
  'runs a block over %s %s, also after the server was restarted',
  async (transport, protocolVersion) => {
    const faults = transport === 'https' ? { tls: ownTls() } : {};
    await using server = await new ScriptedHttpServer({ protocolVersion }, faults).start();
    const url = transport === 'sse' ? server.sseUrl : server.url;
    await using vault = await openWith(url, { transport: transport === 'sse' ? 'sse' : 'http' });
    await vault.agreeAndRun();
    await vault.hasState('fresh');
    expect(await vault.obsidian.text()).toContain('\nhello\n```\n\nBelow.\n');
    await expect.poll(() => server.isHeard, patience).toBe(true);
    await server.stop();
    await vault.notice('MCP server remote disconnected, retrying...');
    await server.start();
    await vault.notice('MCP server remote connected again');
    const before = server.requests.length;
    await vault.press('Run again');
    await expect.poll(() => server.requests.length, patience).toBeGreaterThan(before);
    await vault.hasState('fresh');
  },
);

test('notifies a remote server of a cancellation', async () => {
  await using server = await new ScriptedHttpServer({ protocolVersion: '2026-07-28' }).start();
  const note = '```remote\ntool: hang\n```\n';
  await using vault = await openWith(server.url, { note });
  await vault.agreeAndRun();
  await expect.poll(() => server.openCalls, patience).toBe(1);
  await vault.press('Cancel');
  await expect.poll(() => server.openCalls, patience).toBe(0);
  await vault.hasState('new');
  expect(await vault.obsidian.text()).toBe(note);
});

test('says what to do when nothing listens at the address', async () => {
  const server = await new ScriptedHttpServer().start();
  await server.stop();
  await using vault = await openWith(server.url);
  await vault.agreeAndRun();
  await vault.hasState('failed');
  expect(await vault.obsidian.text()).toMatch(
    /```mcp-error[^`]*nothing listens there\. Start it, or correct its "url" in the settings\.\n/,
  );
  await vault.notice('Could not reach MCP server remote, retrying...');
});

test('does not follow a server to another origin', async () => {
  await using other = await new ScriptedHttpServer().start();
  const redirect = { to: other.url, status: 307 } as const;
  await using server = await new ScriptedHttpServer({}, { redirect }).start();
  await using vault = await openWith(server.url);
  await vault.agreeAndRun();
  await vault.hasState('failed');
  expect(await vault.obsidian.text()).toContain(`redirects to ${other.url}, which is not followed`);
  expect(other.requests).toEqual([]);
});

test('checks the health of a remote server, and leaves it running', async () => {
  await using server = await new ScriptedHttpServer({ protocolVersion: '2025-11-25' }).start();
  await using vault = await openWith(server.url);
  const { page, harness } = vault.obsidian;
  await page.clock.install();
  await vault.agreeAndRun();
  await vault.hasState('fresh');
  const posts = () => server.requests.filter(({ line }) => line === 'POST /mcp').length;
  const before = posts();
  await page.clock.fastForward(30_500);
  await expect.poll(posts, patience).toBe(before + 1);
  await harness.evaluate((each) => each.unload());
  await expect.poll(() => server.requests.at(-1)?.line, patience).toBe('DELETE /mcp');
  const answer = await fetch(server.url.replace('/mcp', '/page'));
  expect(answer.status).toBe(200);
});
