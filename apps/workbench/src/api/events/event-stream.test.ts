import { expect, test } from 'vitest';
import type { WorkbenchState } from '../../contract.ts';
import { openTestWorkbench } from '../testing/test-workbench.ts';
import { EventLog } from './event-log.ts';
import { EventStreams } from './event-stream.ts';

test('a page that comes back gets what it missed, in order and once', async () => {
  await using workbench = await openTestWorkbench();
  const page = await workbench.open();
  const { sequence } = await page.get<WorkbenchState>('/state');
  await page.send('POST', '/calls/stop');
  await page.send('POST', '/calls/resume');
  using back = await page.follow(sequence);
  await page.send('POST', '/calls/stop');
  await back.until('calls-stopped', () => back.events.length === 3);
  expect(back.events).toEqual([
    { kind: 'calls-stopped', isStopped: true },
    { kind: 'calls-stopped', isStopped: false },
    { kind: 'calls-stopped', isStopped: true },
  ]);
  using again = await page.follow(back.sequence);
  await page.send('POST', '/calls/resume');
  await again.until('calls-stopped');
  expect(again.events).toEqual([{ kind: 'calls-stopped', isStopped: false }]);
});

test.each(['', 'nonsense', '00000000-1', '99'])(
  'a page that comes back with %j, from before a restart, loads everything anew',
  async (after) => {
    await using workbench = await openTestWorkbench();
    const page = await workbench.open();
    using events = await page.follow(after);
    await events.until('reload');
    expect(events.events).toEqual([{ kind: 'reload' }]);
    expect(events.sequence).toBe((await page.get<WorkbenchState>('/state')).sequence);
  },
);

test('keeps a bounded number of events, and tells clients that missed more to reload', () => {
  const log = new EventLog({ events: 3, characters: 1_000 });
  const { sequence: start } = log;
  for (const isStopped of [true, false, true]) log.append({ kind: 'calls-stopped', isStopped });
  expect(log.since(start)).toHaveLength(3);
  log.append({ kind: 'reload' });
  expect(log.since(start)).toBeUndefined();
  const { sequence } = log;
  log.append({ kind: 'tools-changed', serverId: 'x'.repeat(2_000) });
  expect(log.since(sequence)).toBeUndefined();
  expect(log.since(log.sequence)).toEqual([]);
});

test('disconnects a page that does not read, and serves the others', async () => {
  const log = new EventLog();
  using streams = new EventStreams(log);
  const slow = streams.open(undefined);
  const quick = streams.open(undefined).body?.getReader();
  let received = 0;
  for (let round = 0; round < 40; round += 1) {
    log.append({ kind: 'tools-changed', serverId: 'x'.repeat(100_000) });
    received += (await quick?.read())?.value?.length ?? 0;
  }
  expect(received).toBeGreaterThan(3_000_000);
  let kept = 0;
  for await (const chunk of slow.body ?? []) kept += chunk.byteLength;
  expect(kept).toBeLessThan(2_500_000);
});

test('streams end when the workbench does', async () => {
  const workbench = await openTestWorkbench();
  const page = await workbench.open();
  using events = await page.follow();
  await workbench[Symbol.asyncDispose]();
  await events.ended;
});
