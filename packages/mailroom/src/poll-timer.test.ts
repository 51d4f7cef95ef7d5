import type { MailSettings } from '@errand/host';
import { ManualClock } from '@errand/host/testing';
import { expect, test } from 'vitest';
import { PollTimer } from './poll-timer.ts';
import { roundBackoff } from './retry-schedule.ts';

const second = 1_000;

/** A timer of a mailbox, and how many rounds it has begun. */
function open(settings: Partial<MailSettings> | null = { pollSeconds: 60 }) {
  const clock = new ManualClock();
  let rounds = 0;
  const timer = new PollTimer(
    { clock, settings: () => settings as MailSettings | null, backoff: roundBackoff },
    async () => {
      rounds += 1;
    },
  );
  const after = async (seconds: number) => {
    await clock.advance(seconds * second);
    return rounds;
  };
  return { clock, timer, after };
}

test('a round begins at once and then as often as the settings say, two minutes without any', async () => {
  const { timer, after, clock } = open();
  timer.start();
  expect(await after(0)).toBe(1);
  expect(timer.nextAt).toBe(clock.now() + 60 * second);
  expect(await after(59)).toBe(1);
  expect(await after(1)).toBe(2);
  const usual = open(null);
  usual.timer.start();
  expect(await usual.after(119)).toBe(1);
  expect(await usual.after(1)).toBe(2);
});

test('after failures a round waits longer, and for as long as the service says, until one succeeds', async () => {
  const { timer, after } = open();
  timer.start();
  for (let failures = 0; failures < 3; failures += 1) timer.failed(0);
  expect(await after(0)).toBe(1);
  expect(await after(239)).toBe(1);
  timer.failed(1_000 * second);
  expect(await after(1)).toBe(2);
  expect(await after(999)).toBe(2);
  timer.succeeded();
  expect(await after(1)).toBe(3);
  expect(await after(60)).toBe(4);
});

test('a timer that was started can be hurried, and one that was stopped begins nothing', async () => {
  const { timer, after } = open();
  timer.hurry();
  expect(await after(600)).toBe(0);
  timer.start();
  expect(await after(30)).toBe(1);
  timer.hurry();
  expect(await after(0)).toBe(2);
  timer.stop();
  expect(timer.nextAt).toBeUndefined();
  timer.hurry();
  expect(await after(600)).toBe(2);
});
