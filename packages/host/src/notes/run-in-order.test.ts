import { expect, test } from 'vitest';
import { settled } from '../testing/manual-clock.ts';
import { runInOrder } from './run-in-order.ts';

/** Runs items named `r…` (only read) and `w…`, each of which ends when it is told to. */
function start(names: string, unknown: readonly string[] = []) {
  const items = names.split(' ');
  const ends = new Map(items.map((item) => [item, Promise.withResolvers<void>()]));
  const learned = new Map(unknown.map((item) => [item, Promise.withResolvers<boolean>()]));
  const running = new Set<string>();
  const run = runInOrder(items, {
    onlyReads: (item) => learned.get(item)?.promise ?? Promise.resolve(item.startsWith('r')),
    run: async (item, turn) => {
      await Promise.race([turn, ends.get(item)?.promise]);
      running.add(item);
      await ends.get(item)?.promise;
      running.delete(item);
      return item;
    },
  });
  return {
    run,
    learn: (item: string) => learned.get(item)?.resolve(item.startsWith('r')),
    /** Ends items and tells what runs then. */
    end: async (...ended: string[]) => {
      for (const item of ended) ends.get(item)?.resolve();
      await settled();
      return [...running].join(' ');
    },
  };
}

test('items that only read run side by side, and a change waits for all above and holds all below', async () => {
  const { run, end } = start('r1 r2 w1 r3 r4 w2 w3');
  expect(await end()).toBe('r1 r2');
  expect(await end('r2')).toBe('r1');
  expect(await end('r1')).toBe('w1');
  expect(await end('w1')).toBe('r3 r4');
  expect(await end('r3', 'r4')).toBe('w2');
  expect(await end('w2')).toBe('w3');
  await end('w3');
  expect((await run).map((each) => each.status === 'fulfilled' && each.value)).toEqual(
    'r1 r2 w1 r3 r4 w2 w3'.split(' '),
  );
});

test('an item that ends before its turn lets nobody pass', async () => {
  const { end } = start('w1 w2 r1');
  expect(await end('w2')).toBe('w1');
  expect(await end('w1')).toBe('r1');
});

test('an item of which it is not known yet what it does holds those below, not those above', async () => {
  const { end, learn } = start('r1 r2 r3', ['r2']);
  expect(await end()).toBe('r1');
  learn('r2');
  expect(await end()).toBe('r1 r2 r3');
});

test('many items cost no more than their number', async () => {
  const items = Array.from({ length: 20_000 }, (_, index) => index);
  let ended = 0;
  const results = await runInOrder(items, {
    onlyReads: async (item) => item % 3 > 0,
    run: async (_, turn) => {
      await turn;
      ended += 1;
    },
  });
  expect([ended, results.length]).toEqual([20_000, 20_000]);
});
