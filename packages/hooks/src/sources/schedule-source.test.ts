import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManualClock } from '@errand/host/testing';
import { expect, onTestFinished, test } from 'vitest';
import type { HookEvent } from '../hook-event.ts';
import type { Trigger } from '../hook-schema.ts';
import { startSource } from '../testing/start-source.ts';
import { scheduleSource } from './schedule-source.ts';

const minute = 60_000;
const hour = 60 * minute;

test('runs at its time in its time zone, and says when it runs next', async () => {
  const { ports, clock } = fixture('2026-06-01T04:59:00Z');
  await using started = await startSource(scheduleSource(ports), daily());
  expect(started.source.nextRun?.('hook-0')).toBe(Date.parse('2026-06-01T05:00:00Z'));
  await clock.advance(24 * hour);
  expect(times(started.events)).toEqual(['2026-06-01T05:00:00.000Z']);
  expect(started.events).toMatchObject([
    {
      id: `schedule:hook-0:${Date.parse('2026-06-01T05:00:00Z')}`,
      hookId: 'hook-0',
      fields: { schedule: { lateMs: 0, missed: 0, timeZone: 'Europe/Berlin' } },
    },
  ]);
  expect(started.source.nextRun?.('hook-0')).toBe(Date.parse('2026-06-02T05:00:00Z'));
});

test.each([
  // 02:30 does not exist on 29 March, and exists twice on 25 October.
  ['30 2 * * *', '2026-03-28T12:00:00Z', ['2026-03-29T01:00:00.000Z', '2026-03-30T00:30:00.000Z']],
  ['30 2 * * *', '2026-10-24T12:00:00Z', ['2026-10-25T00:30:00.000Z', '2026-10-26T01:30:00.000Z']],
  ['0 2 * * *', '2026-10-24T12:00:00Z', ['2026-10-25T00:00:00.000Z', '2026-10-26T01:00:00.000Z']],
])('runs %s once a day when summer time begins or ends after %s', async (cron, from, expected) => {
  const { ports, clock } = fixture(from);
  await using started = await startSource(scheduleSource(ports), daily({ cron }));
  await clock.advance(44 * hour);
  expect(times(started.events)).toEqual(expected);
});

test('skips what was missed while the machine slept, or makes up for it once', async () => {
  const { ports, clock } = fixture('2026-06-01T00:00:00Z');
  const once = daily({ missed: 'once' });
  await using started = await startSource(scheduleSource(ports), daily(), once);
  await clock.sleepMachine(3 * 24 * hour);
  await clock.advance(minute);
  expect(started.events).toMatchObject([
    { hookId: 'hook-1', fields: { schedule: { at: '2026-06-03T05:00:00.000Z', missed: 2 } } },
  ]);
  await clock.advance(6 * hour);
  expect(started.events).toHaveLength(3);
});

test('makes up once for what was missed while no program ran, and repeats nothing after a restart', async () => {
  const { ports, clock, stateFolder } = fixture('2026-06-01T00:00:00Z');
  const run = async (milliseconds: number) => {
    const once = daily({ missed: 'once' });
    await using started = await startSource(scheduleSource(ports), daily(), once);
    await clock.advance(milliseconds);
    return started.events.map(({ hookId }) => hookId);
  };
  expect(await run(6 * hour)).toEqual(['hook-0', 'hook-1']);
  expect(await run(minute)).toEqual([]);
  await clock.advance(48 * hour);
  expect(await run(minute)).toEqual(['hook-1']);
  const [name = ''] = readdirSync(join(stateFolder, 'hooks'));
  const file = join(stateFolder, 'hooks', name, 'schedule.json');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(file, 'utf8')).version).toBe(1);
  // What it remembered is lost: it begins anew.
  writeFileSync(file, '{"version": 7, ');
  await clock.advance(48 * hour);
  expect(await run(minute)).toEqual([]);
});

test('a short stop in the minute of a run does not lose it', async () => {
  const { ports, clock } = fixture('2026-06-01T04:59:50Z');
  await (await startSource(scheduleSource(ports), daily()))[Symbol.asyncDispose]();
  await clock.advance(30_000);
  await using started = await startSource(scheduleSource(ports), daily());
  await clock.advance(1);
  expect(started.events).toMatchObject([{ fields: { schedule: { lateMs: 20_000 } } }]);
});

test('a run that was not stored before a crash comes again, with the same id', async () => {
  const { ports, clock } = fixture('2026-06-01T04:59:50Z');
  const ids: string[] = [];
  // The program ends before the promise of the first run is kept.
  const stored = [new Promise<void>(() => undefined), Promise.resolve()];
  const start = () =>
    scheduleSource(ports).start({
      wanted: () => [{ hookId: 'hook-0', trigger: daily() }],
      emit: (event) => {
        ids.push(event.id);
        return stored.shift() ?? Promise.resolve();
      },
      onFault: (error) => expect(error).toBeUndefined(),
    });
  for (let times = 0; times < 3; times += 1) {
    await using _source = await start();
    await clock.advance(11_000);
  }
  expect(ids).toHaveLength(2);
  expect(new Set(ids).size).toBe(1);
});

test('repeats nothing when the clock is set back by an hour, and follows one that is set back by years', async () => {
  const { ports, clock } = fixture('2030-06-01T04:59:00Z');
  await using started = await startSource(scheduleSource(ports), daily());
  await clock.advance(10 * minute);
  expect(started.events).toHaveLength(1);
  clock.setBack(hour);
  await clock.advance(2 * hour);
  expect(started.events).toHaveLength(1);
  clock.setBack(4 * 365 * 24 * hour);
  await clock.advance(24 * hour);
  expect(started.events).toHaveLength(2);
});

test('takes what a clock that is set forward leaps over for missed', async () => {
  const { ports, clock } = fixture('2026-06-01T00:00:00Z');
  await using started = await startSource(
    scheduleSource(ports),
    daily(),
    daily({ missed: 'once' }),
  );
  clock.setBack(-10 * hour);
  await clock.advance(minute);
  expect(started.events).toMatchObject([{ hookId: 'hook-1' }]);
});

test('counts a bounded number of missed runs of a year', async () => {
  const { ports, clock } = fixture('2026-01-01T00:00:30Z');
  const everyMinute = daily({ cron: '* * * * *', missed: 'once' });
  await using started = await startSource(scheduleSource(ports), everyMinute);
  await clock.sleepMachine(365 * 24 * hour);
  expect(started.events).toMatchObject([{ fields: { schedule: { missed: 1_000 } } }]);
});

test('reports a schedule that cannot be understood once, and follows the others', async () => {
  const { ports, clock } = fixture('2026-06-01T04:59:00Z');
  const bad = [daily({ cron: 'every day' }), daily({ timeZone: 'Nowhere/Town' })];
  await using started = await startSource(scheduleSource(ports), ...bad, daily());
  await started.want(...bad, daily());
  await clock.advance(hour);
  expect(started.faults).toHaveLength(2);
  expect(started.events).toMatchObject([{ hookId: 'hook-2' }]);
});

test('has a timer only while a hook has a schedule, and none after its end', async () => {
  const { ports, clock } = fixture('2026-06-01T04:59:00Z');
  const started = await startSource(scheduleSource(ports));
  expect(clock.sleepers).toBe(0);
  await started.want(daily());
  expect(clock.sleepers).toBe(1);
  await started.want();
  expect(clock.sleepers).toBe(0);
  // Switched on again later: what was missed meanwhile is not made up for.
  await clock.advance(50 * hour);
  await started.want(daily({ missed: 'once' }));
  await clock.advance(minute);
  expect(started.events).toEqual([]);
  await started[Symbol.asyncDispose]();
  expect(clock.sleepers).toBe(0);
});

function daily(change: Partial<Extract<Trigger, { kind: 'schedule' }>> = {}): Trigger {
  return {
    kind: 'schedule',
    cron: '0 7 * * *',
    timeZone: 'Europe/Berlin',
    missed: 'skip',
    ...change,
  };
}

function times(events: readonly HookEvent[]): readonly string[] {
  return events.map(({ at }) => new Date(at).toISOString());
}

function fixture(now: string) {
  const folder = mkdtempSync(join(tmpdir(), 'errand-schedule-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const clock = new ManualClock(Date.parse(now));
  const stateFolder = join(folder, 'state');
  return { clock, stateFolder, ports: { clock, folder, stateFolder } };
}
