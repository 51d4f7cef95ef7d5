import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';
import { openPullRequest } from './testing/double/change-world.ts';
import { startBitbucket } from './testing/start-bitbucket.ts';

const mebibyte = 1024 * 1024;

test('serves 100 clients at once with large files and diffs, and stays below its memory limit', {
  timeout: 180_000,
}, async () => {
  await using bitbucket = await startBitbucket('data-center');
  const repository = await bitbucket.add('web');
  const large = 'a line of a large file\n'.repeat(200_000);
  await repository.git.commit('main', 'First', { 'large.txt': large });
  const lines = Array.from({ length: 100_000 }, (_, index) => `line ${index}`).join('\n');
  await repository.git.commit('work', 'Work', { 'big.txt': lines }, { from: 'main' });
  await openPullRequest(bitbucket.world, repository, {
    author: bitbucket.grace,
    title: 'Work',
    from: { repository, branch: 'work' },
    target: 'main',
  });
  const main = join(import.meta.dirname, 'main.ts');
  const child = spawn(process.execPath, [main, '--http', '0'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...bitbucket.env },
  });
  onTestFinished(() => void child.kill());
  const url = await addressOf(child.stderr);
  const clients = await Promise.all(
    Array.from({ length: 100 }, async () => {
      const client = new Client({ name: 'load', version: '1.0.0' });
      await client.connect(new StreamableHTTPClientTransport(new URL(url)));
      return client;
    }),
  );
  const calls = [
    { name: 'get_file', arguments: { repository: 'ACME/web', path: 'large.txt' } },
    { name: 'get_pull_request_diff', arguments: { repository: 'ACME/web', pull_request: 1 } },
  ];
  const outcomes = await Promise.all(
    clients.map(async (client, index) => {
      const call = calls[index % calls.length] ?? { name: '', arguments: {} };
      const { content, isError } = await client.callTool(call, { timeout: 150_000 });
      const [part] = content;
      const text = part?.type === 'text' ? part.text : '';
      if (isError !== true) return 'answered';
      // Whoever is refused is told that it was for now.
      return /"(mcp_unavailable|rate_limited)"/.test(text) ? 'refused' : text;
    }),
  );
  expect(outcomes.filter((each) => each !== 'answered' && each !== 'refused')).toEqual([]);
  expect(outcomes.filter((outcome) => outcome === 'answered').length).toBeGreaterThan(0);
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
  const peak = Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
  expect(peak).toBeLessThan(512 * mebibyte);
  await Promise.all(clients.map((client) => client.close()));
});

async function addressOf(stderr: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: stderr })) {
    const { urls } = JSON.parse(line) as { readonly urls?: readonly string[] };
    if (urls?.[0] === undefined) continue;
    stderr.resume();
    return urls[0];
  }
  throw new Error('The server ended before it served.');
}
