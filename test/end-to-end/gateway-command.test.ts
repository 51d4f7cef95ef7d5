import { journalled } from '@errand/machine/testing';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, test } from 'vitest';
import { eventually, patient, program, TestVault } from './errand-process.ts';
import { gone } from './process-state.ts';

test(
  'errand gateway --stdio is an MCP server for another program, and leaves with it',
  patient,
  async () => {
    using vault = TestVault.trusted();
    vault.add(vault.scripted(), vault.scripted({ onStart: 'exit' }, { name: 'broken' }));
    const client = new Client({ name: 'other', version: '1.0.0' });
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [program, 'gateway', '--stdio', '--vault', vault.folder],
        env: stringsOf(vault.env),
        stderr: 'ignore',
      }),
    );
    await toolsOf(client, 'fix__echo');
    const answer = await client.callTool({ name: 'fix__echo', arguments: { text: 'through' } });
    expect(answer.content).toEqual([{ type: 'text', text: 'through' }]);
    const { pid } = await journalled(vault.journal, ({ tool }) => tool === 'echo', eventually());
    await client.close();
    await gone(pid, 10_000);
    expect((await vault.json('history')).json).toMatchObject({
      calls: [{ source: 'gateway', server: 'fix', tool: 'echo', status: 'success' }],
    });
  },
);

test(
  'errand gateway --port says its address, serves there, and ends at SIGTERM',
  patient,
  async () => {
    using vault = TestVault.trusted();
    vault.env.ERRAND_TOKEN = 'my-own';
    const headers = { Authorization: 'Bearer my-own' };
    vault.add(vault.scripted());
    using errand = vault.start('gateway', '--port', '0', '--json');
    await errand.says(/"url"/);
    const { url } = JSON.parse(errand.stdout) as { url: string };
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    const client = new Client({ name: 'other', version: '1.0.0' });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
    );
    await toolsOf(client, 'fix__echo');
    const answer = await client.callTool({ name: 'fix__fail', arguments: {} });
    expect(answer).toMatchObject({ isError: true, content: [{ text: 'It did not work.' }] });
    const foreign = await fetch(url, {
      method: 'POST',
      headers: { ...headers, Origin: 'https://evil.example' },
    });
    expect(foreign.status).toBe(403);
    const { pid } = await journalled(vault.journal, ({ tool }) => tool === 'fail', eventually());
    errand.child.kill('SIGTERM');
    await client.close();
    expect((await errand.ended).code).toBe(0);
    await gone(pid, 3000);
  },
);

test('requests piped into the gateway are answered before it ends', patient, async () => {
  using vault = TestVault.trusted();
  vault.add(vault.scripted({ startDelay: 300 }));
  using errand = vault.start('gateway', '--stdio');
  errand.child.stdin?.end(
    [
      request(1, 'initialize', { protocolVersion: '2025-11-25', capabilities: {} }),
      request(2, 'tools/call', { name: 'fix__sleep', arguments: { milliseconds: 200 } }),
      // The last line of a file need not end.
      request(3, 'tools/call', { name: 'fix__large', arguments: { bytes: 1_000_000 } }).trim(),
    ].join(''),
  );
  const { code, stdout } = await errand.ended;
  expect(code).toBe(0);
  const answers = stdout.trim().split('\n');
  const ids = answers.map((line) => (JSON.parse(line) as { id: number }).id);
  expect(ids.toSorted()).toEqual([1, 2, 3]);
  expect(stdout).toContain('awake');
  expect(stdout.length).toBeGreaterThan(1_000_000);
});

test('a call under way at SIGTERM is answered with an error', patient, async () => {
  using vault = TestVault.trusted();
  vault.add(vault.scripted());
  using errand = vault.start('gateway', '--stdio');
  errand.type(request(1, 'tools/call', { name: 'fix__hang', arguments: {} }));
  const { pid } = await journalled(vault.journal, ({ tool }) => tool === 'hang', eventually());
  errand.child.kill('SIGTERM');
  const { code, stdout } = await errand.ended;
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ id: 1, error: { code: -32000 } });
  await gone(pid, 3000);
});

test(
  'a client that does not read its answers is cut off, and nothing stays behind',
  patient,
  async () => {
    using vault = TestVault.trusted();
    vault.add(vault.scripted());
    using errand = vault.start('gateway', '--stdio');
    errand.child.stdout?.pause();
    const params = { name: 'fix__large', arguments: { bytes: 30_000_000 } };
    for (let id = 1; id <= 8; id += 1) errand.type(request(id, 'tools/call', params));
    const { pid } = await journalled(vault.journal, ({ tool }) => tool === 'large', eventually());
    await errand.says(/did not read its answers and was cut off/);
    await gone(pid, 10_000);
    errand.child.stdout?.resume();
    await errand.ended;
  },
);

/** Servers arrive one after the other; a gateway offers what is there. */
async function toolsOf(client: Client, wanted: string): Promise<void> {
  const signal = eventually();
  for (;;) {
    const { tools } = await client.listTools();
    if (tools.some(({ name }) => name === wanted)) return;
    signal.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function request(id: number, method: string, params: object): string {
  return `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
}

function stringsOf(env: NodeJS.ProcessEnv): Record<string, string> {
  const set = Object.entries(env).filter((each): each is [string, string] => each[1] !== undefined);
  return Object.fromEntries(set);
}
