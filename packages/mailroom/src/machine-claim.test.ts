import { setImmediate } from 'node:timers/promises';
import type { MailSettings } from '@errand/host';
import { expect, test } from 'vitest';
import { MachineClaim } from './machine-claim.ts';
import type { OrchestratorState } from './orchestrator-state.ts';

const now = Date.UTC(2026, 1, 3, 12);
const at = new Date(now).toISOString();
const own = { machine: 'machine-1', machine_name: 'desk', since: '2026-02-01T00:00:00.000Z' };
const theirs = { ...own, machine: 'machine-2', machine_name: 'laptop' };

/** The claim of this machine on a vault whose state is this. */
function open(
  stored?: OrchestratorState,
  {
    settings = {},
    isWorker = false,
  }: { settings?: Partial<MailSettings> | null; isWorker?: boolean } = {},
) {
  let state = stored;
  const logged: object[] = [];
  const claim = new MachineClaim({
    settings: () => settings as MailSettings | null,
    isWorker,
    machine: { id: 'machine-1', name: 'desk' },
    clock: { now: () => now, monotonic: () => 0, after: () => ({ [Symbol.dispose]: () => {} }) },
    log: { write: async (_, entry) => void logged.push(entry), read: async () => [] },
    state: {
      read: async () => {
        const found = state;
        await setImmediate();
        return found;
      },
      write: async (next) => {
        await setImmediate();
        state = next;
      },
    },
  });
  return { claim, logged, state: () => state };
}

test.each<[string, OrchestratorState | undefined, Parameters<typeof open>[1], string | undefined]>([
  ['its own', own, {}, undefined],
  ['its own and paused', { ...own, paused: true }, {}, 'paused'],
  ['another machine’s', theirs, {}, 'elsewhere'],
  ['another machine’s and paused', { ...theirs, paused: true }, {}, 'elsewhere'],
  ['nobody’s yet', undefined, {}, 'first-start'],
  ['without a mailbox', own, { settings: null }, 'off'],
  ['left to workers', own, { settings: { workers: true } }, 'shared'],
  [
    'left to workers, of which it is one',
    own,
    { settings: { workers: true }, isWorker: true },
    undefined,
  ],
])('for a vault that is %s', async (_, stored, options, obstacle) => {
  expect(await open(stored, options).claim.obstacle()).toBe(obstacle);
});

test('the first start names the machine and its mailbox, and a later one changes what is taken alone', async () => {
  const { claim, state } = open();
  await claim.begin(now, 'owner@example.org');
  const begun = { machine: 'machine-1', machine_name: 'desk', mailbox: 'owner@example.org' };
  expect(state()).toEqual({ ...begun, since: at, paused: false });
  await claim.setPaused(true);
  await claim.begin(now - 1_000, undefined);
  expect(state()).toMatchObject({
    ...begun,
    paused: true,
    since: new Date(now - 1_000).toISOString(),
  });
  await expect(open(theirs).claim.begin(now, undefined)).rejects.toMatchObject({
    code: 'elsewhere',
  });
});

test('taking over keeps from when on mails are taken and how far they were read, and is logged', async () => {
  const { claim, state, logged } = open({ ...theirs, last_history_id: 'h1', mailbox: 'a@b.c' });
  await claim.takeOver('a@b.c');
  expect(state()).toEqual({ ...own, last_history_id: 'h1', mailbox: 'a@b.c' });
  expect(logged).toEqual([{ event: 'machine_changed', severity: 'WARNING', message: 'desk' }]);
  // Of a file that cannot be read nothing is known: nothing older than this moment is taken.
  const unreadable = open({ machine: 'unknown', since: '' });
  await unreadable.claim.takeOver(undefined);
  expect(unreadable.state()).toMatchObject({ machine: 'machine-1', since: at });
});

test('another mailbox takes nothing over', async () => {
  const { claim, state, logged } = open({ ...theirs, mailbox: 'a@b.c' });
  await expect(claim.takeOver('d@e.f')).rejects.toMatchObject({ code: 'elsewhere' });
  expect(state()).toMatchObject({ machine: 'machine-2' });
  expect(logged).toEqual([]);
});

test('how far the mailbox was read is kept, and whose it was at first stays', async () => {
  const { claim, state } = open(own);
  await claim.keepPoll('a@b.c', 'h2');
  const kept = { ...own, mailbox: 'a@b.c', last_history_id: 'h2', last_poll_at: at };
  expect(state()).toEqual(kept);
  await claim.keepPoll('d@e.f', undefined);
  expect(state()).toEqual(kept);
  expect(await claim.isFirst()).toBe(false);
});

test('a pause that comes while a round keeps how far it read is kept', async () => {
  const { claim, state } = open(own);
  await Promise.all([claim.keepPoll('a@b.c', '7'), claim.setPaused(true), claim.keepPoll('', '8')]);
  expect(state()).toMatchObject({ paused: true, mailbox: 'a@b.c', last_history_id: '8' });
});
