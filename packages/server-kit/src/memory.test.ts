import { readFile } from 'node:fs/promises';
import { expect, test, vi } from 'vitest';
import { openHttp } from './testing/open-http.ts';
import { Program } from './testing/start-program.ts';

const fixture = new URL('./testing/fixture-program.ts', import.meta.url);
const mebibyte = 1024 * 1024;
/** Many calls on a machine that others use, too. */
const slow = { timeout: 120_000 };

test('uses no more memory after 10,000 calls than after the first 1,000', slow, async () => {
  const args = ['--greeting', 'hello', '--log-level', 'debug'];
  await using program = new Program(fixture, args);
  const { client } = program;
  await client.initialize();
  await callMany(1_000);
  const first = await memoryAtRest(1);
  await callMany(10_000);
  const last = await memoryAtRest(2);
  expect(last - first).toBeLessThan(20 * mebibyte);

  async function callMany(count: number) {
    for (let done = 0; done < count; done += 50) {
      const calls = Array.from({ length: 50 }, (_, index) =>
        client.call('echo', { text: `${done + index}`.repeat(100) }),
      );
      await Promise.all(calls);
    }
  }

  /** What is used when the garbage of a burst is gone. */
  async function memoryAtRest(burst: number): Promise<number> {
    const line = await program.logged('garbage was collected', burst);
    return JSON.parse(line).memoryUsage;
  }
});

test('gives the memory of expired sessions back', slow, async () => {
  const env = { MCP_CLIENT_TIMEOUT: '500' };
  await using program = new Program(fixture, ['--greeting', 'hello', '--http', '0'], env);
  const url = JSON.parse(await program.logged('started')).urls[0];
  const health = async () => {
    const response = await fetch(new URL('/health', url));
    return ((await response.json()) as { metrics: Record<string, number> }).metrics;
  };
  await Promise.all(Array.from({ length: 100 }, () => openHttp(url)));
  const busy = await health();
  await vi.waitFor(async () => {
    const { activeSessions, memoryUsage } = await health();
    expect(activeSessions).toBe(0);
    expect(memoryUsage).toBeLessThan(busy.memoryUsage ?? 0);
  }, patience);
});

test(
  'stays below its memory limit while 100 clients call at once with large texts',
  slow,
  async () => {
    await using program = new Program(fixture, ['--greeting', 'hello', '--http', '0']);
    const url = JSON.parse(await program.logged('started')).urls[0];
    const clients = await Promise.all(Array.from({ length: 100 }, () => openHttp(url)));
    const text = 'x'.repeat(mebibyte / 4);
    for (let round = 0; round < 2; round += 1) {
      const answers = await Promise.all(clients.map((client) => client.call('echo', { text })));
      expect(answers.filter(({ result }) => result?.isError !== undefined)).toEqual([]);
    }
    const status = await readFile(`/proc/${program.child.pid}/status`, 'utf8');
    const peak = Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
    expect(peak).toBeLessThan(512 * mebibyte);
  },
);

test('refuses new clients by the memory that it measures', async () => {
  const env = { MCP_MEMORY_LIMIT: '32M' };
  await using program = new Program(fixture, ['--greeting', 'hello', '--http', '0'], env);
  const url = JSON.parse(await program.logged('started')).urls[0];
  await expect(openHttp(url)).rejects.toThrow('used up its memory limit of 33554432 bytes');
});

const patience = { timeout: 60_000, interval: 200 };
