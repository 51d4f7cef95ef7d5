import { ManualClock } from '@errand/host/testing';
import { expect, test } from 'vitest';
import type { VaultServices } from '../workbench-ports.ts';
import { MailMonitor } from './mail-monitor.ts';

test('a burst of changes is one more look at the board, and the last answer is the one that counts', async () => {
  const asked: ((waiting: number) => void)[] = [];
  const told: unknown[] = [];
  let change = () => {};
  const services = {
    serviceEvents: {
      subscribe: (hear: (event: object) => void) => {
        change = () => hear({ service: 'mail', event: { kind: 'board-changed' } });
        return () => undefined;
      },
    },
    request: () =>
      new Promise((resolve) => {
        asked.push((waiting) => resolve({ value: { counts: { waiting, wrong: 0 } } }));
      }),
  } as unknown as VaultServices;
  const clock = new ManualClock();
  using monitor = new MailMonitor(services, (event) => void told.push(event), clock);
  for (let at = 0; at < 5; at += 1) {
    change();
    await clock.advance(1_000);
  }
  expect(asked).toHaveLength(1);
  asked[0]?.(1);
  await expect.poll(() => asked.length).toBe(2);
  asked[1]?.(2);
  await expect.poll(() => monitor.counts).toEqual({ waiting: 2, wrong: 0 });
  expect(told).toMatchObject([{ counts: { waiting: 1 } }, { counts: { waiting: 2 } }]);
});
