import { expect, test } from 'vitest';
import type { Notice } from '../notifier.ts';
import { localServer } from '../testing/local-server.ts';
import { ManualClock, settled } from '../testing/manual-clock.ts';
import { createMemorySettingsStore } from '../testing/memory-settings-store.ts';
import { HealthSaver } from './health-saver.ts';

function openSaver(clock = new ManualClock()) {
  const mcpServers = [localServer('a'), localServer('b')];
  const store = createMemorySettingsStore(JSON.stringify({ version: 1, mcpServers }));
  const notices: Notice[] = [];
  const notifier = { notify: (notice: Notice) => void notices.push(notice) };
  const saver = new HealthSaver(store, clock, notifier, () => {});
  return { store, saver, notices };
}

test('a flush writes what came while an earlier save was under way', async () => {
  const { store, saver } = openSaver();
  const { promise, resolve } = Promise.withResolvers<void>();
  const remember = store.remember.bind(store);
  store.remember = (change) => promise.then(() => remember(change));
  saver.save('a', { enabled: false });
  await settled();
  saver.save('b', { lastConnectedAt: 5 });
  const flushed = saver.flush();
  resolve();
  await flushed;
  expect((await store.load()).mcpServers).toMatchObject([
    { enabled: false },
    { lastConnectedAt: 5 },
  ]);
});

test('a change right after a save is written too', async () => {
  const { store, saver } = openSaver();
  saver.save('a', { lastConnectedAt: 1 });
  await saver.flush();
  saver.save('a', { lastConnectedAt: 2 });
  await saver.flush();
  expect((await store.load()).mcpServers[0]?.lastConnectedAt).toBe(2);
});

test('settings that cannot be saved are reported, and nothing else happens', async () => {
  const { store, saver, notices } = openSaver();
  store.remember = () => Promise.reject(new Error('read-only file system'));
  saver.save('a', { lastConnectedAt: 1 });
  await saver.flush();
  expect(notices).toMatchObject([{ level: 'warning', detail: 'read-only file system' }]);
});

test('saves once when changes stop coming, and at last also while they go on', async () => {
  const clock = new ManualClock();
  const { store, saver } = openSaver(clock);
  let saves = 0;
  const remember = store.remember.bind(store);
  store.remember = (change) => {
    saves += 1;
    return remember(change);
  };
  for (let time = 1; time <= 4; time += 1) {
    saver.save('a', { lastConnectedAt: time });
    await clock.advance(400);
  }
  expect(saves).toBe(0);
  await clock.advance(1_000);
  expect(saves).toBe(1);
  expect((await store.load()).mcpServers[0]?.lastConnectedAt).toBe(4);
  for (let time = 5; saves === 1 && time < 50; time += 1) {
    saver.save('a', { lastConnectedAt: time });
    await clock.advance(400);
  }
  expect(saves).toBe(2);
});

test('a notifier that fails does not keep the next change from being saved', async () => {
  const { store, saver, notices } = openSaver();
  notices.push = () => {
    throw new Error('a defect');
  };
  const remember = store.remember.bind(store);
  store.remember = () => Promise.reject(new Error('the disk is full'));
  saver.save('a', { enabled: false });
  await saver.flush();
  store.remember = remember;
  saver.save('b', { lastConnectedAt: 5 });
  await saver.flush();
  expect((await store.load()).mcpServers[1]?.lastConnectedAt).toBe(5);
});
