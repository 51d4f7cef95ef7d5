import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { MachineClaim } from './machine-claim.ts';
import type { OrchestratorState } from './orchestrator-state.ts';

test('a pause that comes while a round keeps how far it read is kept', async () => {
  let file: OrchestratorState | undefined = { machine: 'm1', since: '' };
  const state = {
    read: async () => {
      const now = file;
      await setImmediate();
      return now;
    },
    write: async (next: OrchestratorState) => {
      await setImmediate();
      file = next;
    },
  };
  const machine = { id: 'm1', name: 'desk' };
  const ports = { state, machine, clock: { now: () => 0 }, settings: () => ({}) };
  const claim = new MachineClaim(ports as unknown as ConstructorParameters<typeof MachineClaim>[0]);
  await Promise.all([claim.keepPoll('a@b.c', '7'), claim.setPaused(true), claim.keepPoll('', '8')]);
  expect(file).toMatchObject({ paused: true, mailbox: 'a@b.c', last_history_id: '8' });
});
