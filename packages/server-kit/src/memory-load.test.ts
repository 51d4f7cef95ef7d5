import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { openHttp, post } from './testing/open-http.ts';
import { Program } from './testing/start-program.ts';

const fixture = new URL('./testing/fixture-program.ts', import.meta.url);
const mebibyte = 1024 * 1024;
const limit = 256 * mebibyte;

/** How a call ended for its client. */
type Outcome = 'answered' | 'refused';

/** What the answer to a call says, as JSON or on a stream. */
async function outcomeOf(response: Response): Promise<Outcome> {
  const text = await response.text();
  if (response.status === 503 && text.includes('short of memory')) return 'refused';
  if (text.includes('\\"reason\\":\\"memory\\"')) return 'refused';
  if (response.status === 200 && !text.includes('"isError":true')) return 'answered';
  throw new Error(`${response.status} ${text.slice(0, 500)}`);
}

test('stays below its memory limit while 100 clients of both eras call at once with more than fits', {
  timeout: 180_000,
}, async () => {
  const env = { MCP_MEMORY_LIMIT: '256M' };
  await using program = new Program(fixture, ['--greeting', 'hello', '--http', '0'], env);
  const url = JSON.parse(await program.logged('started')).urls[0];
  const sessions = await Promise.all(Array.from({ length: 50 }, () => openHttp(url)));
  const text = 'x'.repeat(mebibyte);
  const calls = [
    ['echo', { text }],
    ['flood', { bytes: 2 * mebibyte }],
  ] as const;
  const outcomes: Outcome[] = [];
  for (const [name, input] of calls) {
    const legacy = sessions.map(async (session) => {
      const params = { name, arguments: input };
      return await outcomeOf(await session.post({ id: name, method: 'tools/call', params }));
    });
    const modern = Array.from(
      { length: 50 },
      async () => await outcomeOf(await callModern(name, input)),
    );
    outcomes.push(...(await Promise.all([...legacy, ...modern])));
  }
  const answered = outcomes.filter((outcome) => outcome === 'answered');
  expect(outcomes).toHaveLength(200);
  expect(answered.length).toBeGreaterThan(0);
  const status = await readFile(`/proc/${program.child.pid}/status`, 'utf8');
  const peak = Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
  expect(peak).toBeLessThan(limit);
  // It is as good as before.
  const [session] = sessions;
  await expect
    .poll(() => session?.call('echo', { text: 'after' }), { timeout: 30_000 })
    .toMatchObject({ result: { structuredContent: { text: 'after' } } });

  function callModern(name: string, input: object) {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'modern', version: '1.0.0' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const headers = {
      'Mcp-Protocol-Version': '2026-07-28',
      'Mcp-Method': 'tools/call',
      'Mcp-Name': name,
    };
    const params = { name, arguments: input, _meta: meta };
    return post(url, { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, headers);
  }
});
