import { expect, test } from 'vitest';
import { sleep } from './sleep.ts';

test('waits by the timers of Node where the global ones are those of a window', async () => {
  const { setTimeout } = globalThis;
  Object.assign(globalThis, { setTimeout: () => 1 });
  try {
    await sleep(1, AbortSignal.timeout(15_000));
  } finally {
    Object.assign(globalThis, { setTimeout });
  }
});

test('rejects with the reason of its signal', async () => {
  const controller = new AbortController();
  const waiting = sleep(60_000, controller.signal);
  controller.abort('over');
  await expect(waiting).rejects.toBe('over');
});
