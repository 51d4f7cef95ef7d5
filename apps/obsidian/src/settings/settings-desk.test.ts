import { expect, test } from 'vitest';
import type { OpenVault } from '../open-vault.ts';
import { SettingsDesk } from './settings-desk.ts';

test('listens to the host only while somebody looks, and tells many changes once', async () => {
  let listening = 0;
  const follow = () => {
    listening += 1;
    return () => {
      listening -= 1;
    };
  };
  const vault = { host: { events: { subscribe: follow } }, tests: { subscribe: follow } };
  const desk = new SettingsDesk(vault as unknown as OpenVault);
  let told = 0;
  const stop = desk.onChange(() => {
    told += 1;
  });
  const stopOther = desk.onChange(() => {});
  expect(listening).toBe(2);
  desk.tell();
  desk.tell();
  await Promise.resolve();
  expect(told).toBe(1);
  stop();
  expect(listening).toBe(2);
  stopOther();
  expect(listening).toBe(0);
});
