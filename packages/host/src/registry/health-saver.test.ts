import { expect, test } from 'vitest';
import type { HealthStore } from '../health-store.ts';
import type { Notice } from '../notifier.ts';
import { ManualClock, settled } from '../testing/manual-clock.ts';
import { createMemoryHealthStore } from '../testing/memory-health-store.ts';
import { HealthSaver } from './health-saver.ts';

function openSaver(clock = new ManualClock(), change: Partial<HealthStore> = {}) {
  const store = { ...createMemoryHealthStore(), ...change };
  const notices: Notice[] = [];
  const notifier = { notify: (notice: Notice) => void notices.push(notice) };
  const saver = new HealthSaver(store, {}, clock, notifier, () => {});
  return { store, saver, notices };
}

test('a flush writes what came while an earlier save was under way', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { save, ...store } = createMemoryHealthStore();
  const slow = {
    ...store,
    save: (change: Parameters<typeof save>[0]) => promise.then(() => save(change)),
  };
  const { saver } = openSaver(new ManualClock(), slow);
  saver.save('a', { autoDisabled: undefined, failureCount: 1 });
  await settled();
  saver.save('b', { lastConnectedAt: 5 });
  const flushed = saver.flush();
  resolve();
  await flushed;
  expect(await store.load()).toEqual({ a: { failureCount: 1 }, b: { lastConnectedAt: 5 } });
});

test('a change right after a save is written too', async () => {
  const { store, saver } = openSaver();
  saver.save('a', { lastConnectedAt: 1 });
  await saver.flush();
  saver.save('a', { lastConnectedAt: 2 });
  await saver.flush();
  expect(await store.load()).toEqual({ a: { lastConnectedAt: 2 } });
});

test('keeps what another program has written meanwhile', async () => {
  const { store, saver } = openSaver();
  await store.save(() => ({ b: { lastConnectedAt: 9 } }));
  saver.save('a', { lastConnectedAt: 1 });
  await saver.flush();
  expect(await store.load()).toEqual({ a: { lastConnectedAt: 1 }, b: { lastConnectedAt: 9 } });
});

test('reports a state that cannot be saved and continues', async () => {
  const save = () => Promise.reject(new Error('read-only file system'));
  const { saver, notices } = openSaver(new ManualClock(), { save });
  saver.save('a', { lastConnectedAt: 1 });
  await saver.flush();
  expect(notices).toMatchObject([{ level: 'warning', detail: 'read-only file system' }]);
});

test('saves when changes pause, and after a maximum delay while they continue', async () => {
  const clock = new ManualClock();
  const memory = createMemoryHealthStore();
  let saves = 0;
  const save: HealthStore['save'] = (change) => {
    saves += 1;
    return memory.save(change);
  };
  const { saver } = openSaver(clock, { ...memory, save });
  for (let time = 1; time <= 4; time += 1) {
    saver.save('a', { lastConnectedAt: time });
    await clock.advance(400);
  }
  expect(saves).toBe(0);
  await clock.advance(1_000);
  expect(saves).toBe(1);
  expect(await memory.load()).toEqual({ a: { lastConnectedAt: 4 } });
  for (let time = 5; saves === 1 && time < 50; time += 1) {
    saver.save('a', { lastConnectedAt: time });
    await clock.advance(400);
  }
  expect(saves).toBe(2);
});

test('a notifier that fails does not keep the next change from being saved', async () => {
  const memory = createMemoryHealthStore();
  let isFull = true;
  const save: HealthStore['save'] = (change) =>
    isFull ? Promise.reject(new Error('the disk is full')) : memory.save(change);
  const notifier = {
    notify: () => {
      throw new Error('a defect');
    },
  };
  const saver = new HealthSaver({ ...memory, save }, {}, new ManualClock(), notifier, () => {});
  saver.save('a', { lastConnectedAt: 1 });
  await saver.flush();
  isFull = false;
  saver.save('b', { lastConnectedAt: 2 });
  await saver.flush();
  expect(await memory.load()).toEqual({ b: { lastConnectedAt: 2 } });
});

const reason = { code: 'server_unavailable', message: 'gone' } as const;
const givenUp = { autoDisabled: { at: 1, entry: 'hash', reason } };

test('a server that was just given up stays so while that is being stored, and when it cannot be', async () => {
  const { promise: mayStore, reject } = Promise.withResolvers<void>();
  const { saver } = openSaver(new ManualClock(), { save: () => mayStore });
  saver.save('a', givenUp);
  await settled();
  await saver.follow();
  expect(saver.record('a')).toEqual(givenUp);
  reject(new Error('disk full'));
  await saver.flush();
  await saver.follow();
  expect(saver.record('a')).toEqual(givenUp);
});

test('follows another program that gives a server another chance', async () => {
  const { store, saver } = openSaver();
  saver.save('a', givenUp);
  await saver.flush();
  await store.save(() => ({ a: {} }));
  await saver.follow();
  expect(saver.record('a')).toEqual({});
});
