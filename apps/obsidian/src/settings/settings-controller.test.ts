import { expect, test } from 'vitest';
import type { OpenVault } from '../open-vault.ts';
import { SettingsController } from './settings-controller.ts';

test('listens to the host only while the settings are open, and batches changes', async () => {
  let listening = 0;
  const follow = () => {
    listening += 1;
    return () => {
      listening -= 1;
    };
  };
  const vault = { host: { events: { subscribe: follow } }, tests: { subscribe: follow } };
  const controller = new SettingsController(vault as unknown as OpenVault);
  let changes = 0;
  const stop = controller.onChange(() => {
    changes += 1;
  });
  const stopOther = controller.onChange(() => {});
  expect(listening).toBe(2);
  controller.tell();
  controller.tell();
  await Promise.resolve();
  expect(changes).toBe(1);
  stop();
  expect(listening).toBe(2);
  stopOther();
  expect(listening).toBe(0);
});
