import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@errand/host';
import { exampleServer, memoryHost } from '@errand/host/testing';
import { memoryStore, StoredJobs } from '@errand/jobs';
import { expect, test } from 'vitest';
import { ChainTracker } from '../sources/chain-tracker.ts';
import { fileSource } from '../sources/file-source.ts';
import { fileEvent, openTestEngine, testHook } from '../testing/open-engine.ts';
import type { HookEngine } from './hook-engine.ts';

const statuses = (log: readonly { readonly status: string }[]) => log.map(({ status }) => status);

test('whoever tells of an event hears that a run could not be stored, and may tell of it again', async () => {
  const openJobs = (engine: HookEngine) => {
    const jobs = StoredJobs.open(memoryStore(), { flows: { hook: engine.flow }, drainMs: 100 });
    const start = jobs.start.bind(jobs);
    let isFull = true;
    jobs.start = async (...args) => {
      if (!isFull) return start(...args);
      isFull = false;
      throw new Error('The disk is full.');
    };
    return jobs;
  };
  await using made = await openTestEngine([testHook()], { openJobs });
  const event = fileEvent();
  await expect(made.engine.emit(event)).rejects.toThrow('The disk is full.');
  expect(made.log).toMatchObject([{ status: 'failure', message: expect.stringContaining('full') }]);
  await made.engine.emit(event);
  await expect.poll(() => statuses(made.log)).toEqual(['failure', 'success']);
});

test('conditions of many hooks on a long text leave the event loop free', async () => {
  const conditions = [{ field: 'body', matches: 'x$' }];
  const hooks = Array.from({ length: 50 }, (_, n) =>
    testHook({ id: `h${n}`, name: `Hook ${n}`, conditions }),
  );
  await using made = await openTestEngine(hooks, { monotonic: () => performance.now() });
  const event = fileEvent();
  const fields = { ...event.fields, body: 'a'.repeat(90_000) };
  let turns = 0;
  const counting = setInterval(() => {
    turns += 1;
  }, 1);
  await made.engine.emit({ ...event, fields });
  clearInterval(counting);
  expect(turns).toBeGreaterThan(10);
  expect(made.log).toEqual([]);
});

test('a storm of 10,000 saved files on 1,000 hooks stays within limits, and every drop is told', async () => {
  // Thousands of files are written faster in memory.
  const parent = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
  const folder = mkdtempSync(join(parent, 'errand-storm-'));
  mkdirSync(join(folder, 'Inbox'));
  await using memory = await memoryHost([exampleServer]);
  const chains = new ChainTracker(systemClock);
  const file = fileSource({ folder, clock: systemClock, host: memory.host, chains });
  const hooks = Array.from({ length: 1_000 }, (_, n) =>
    testHook({
      id: `h${n}`,
      name: `Hook ${n}`,
      trigger: n < 3 ? testHook().trigger : { kind: 'file', events: ['created'], glob: `${n}/*` },
    }),
  );
  try {
    await using made = await openTestEngine(hooks, { sources: { file } });
    const before = process.memoryUsage().rss;
    for (let count = 0; count < 10_000; count += 1) {
      writeFileSync(join(folder, `Inbox/${count}.md`), 'text');
    }
    const dropped = () => made.log.filter(({ status }) => status === 'skipped');
    const told = async () => {
      await made.clock.advance(10_000);
      const counts = dropped().map(({ message = '' }) => /So were (\d+)/.exec(message)?.[1] ?? 1);
      return counts.reduce<number>((sum, count) => sum + Number(count), 0);
    };
    const patience = { timeout: 60_000, interval: 500 };
    await expect.poll(told, patience).toBe(3 * (10_000 - 60));
    expect(statuses(made.log).filter((each) => each === 'success')).toHaveLength(3 * 60);
    expect(dropped().length).toBeLessThan(500);
    expect(made.engine.recent.of('file')).toHaveLength(50);
    expect(process.memoryUsage().rss - before).toBeLessThan(400_000_000);
  } finally {
    rmSync(folder, { recursive: true });
  }
}, 90_000);
