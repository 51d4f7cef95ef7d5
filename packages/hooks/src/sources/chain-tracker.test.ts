import { ManualClock } from '@errand/host/testing';
import { expect, test } from 'vitest';
import { ChainTracker } from './chain-tracker.ts';

const chain = { id: 'one', depth: 1, hooks: ['a'] };
const deeper = { id: 'two', depth: 3, hooks: ['a', 'b', 'c'] };

test('takes what happens during an action and two seconds after it for its effect', async () => {
  const clock = new ManualClock();
  const chains = new ChainTracker(clock);
  const before = clock.monotonic();
  await clock.advance(1);
  const action = chains.begin(chain, { mayWrite: (path) => path.startsWith('Inbox/') });
  await clock.advance(10_000);
  const during = clock.monotonic();
  action[Symbol.dispose]();
  const found = { ...chain, isAssumed: true };
  expect(chains.ofFile('Inbox/n.md', { at: before })).toBeUndefined();
  expect(chains.ofFile('Inbox/n.md', { at: during })).toEqual(found);
  expect(chains.ofFile('Other/n.md', { at: during })).toBeUndefined();
  expect(chains.ofRepository({ at: during + 2_000, changedAt: clock.now() + 2_000 })).toEqual(
    found,
  );
  expect(chains.ofRepository({ at: during + 2_001 })).toBeUndefined();
});

test('what was changed after the end of an action that leaves nothing behind is not its effect', async () => {
  const clock = new ManualClock();
  const chains = new ChainTracker(clock);
  const action = chains.begin(chain, { leavesNothing: true });
  await clock.advance(1_000);
  const [at, end] = [clock.monotonic(), clock.now()];
  expect(chains.ofFile('n.md', { at, changedAt: end + 1 })).toMatchObject(chain);
  action[Symbol.dispose]();
  await clock.advance(1_000);
  // Noticed late, but made before its end.
  expect(chains.ofFile('n.md', { at: at + 1_000, changedAt: end })).toMatchObject(chain);
  expect(chains.ofFile('n.md', { at: at + 1, changedAt: end + 1 })).toBeUndefined();
  expect(chains.ofRepository({ at: at + 1, changedAt: end + 1 })).toBeUndefined();
  // Nobody knows when a file was deleted.
  expect(chains.ofFile('n.md', { at: at + 1 })).toMatchObject(chain);
});

test('a repository belongs only to actions that can change it', () => {
  const clock = new ManualClock();
  const chains = new ChainTracker(clock);
  chains.begin(chain, { mayChangeRepository: false });
  expect(chains.ofRepository({ at: clock.monotonic() })).toBeUndefined();
  chains.begin(deeper);
  expect(chains.ofRepository({ at: clock.monotonic() })).toEqual({ ...deeper, isAssumed: true });
});

test('of several actions the hooks of all count as run, in the last of the deepest chains', () => {
  const clock = new ManualClock();
  const chains = new ChainTracker(clock);
  chains.begin(deeper);
  chains.begin({ id: 'three', depth: 3, hooks: ['d', 'e', 'f'] });
  chains.begin(chain);
  expect(chains.ofRepository({ at: clock.monotonic() })).toEqual({
    id: 'three',
    depth: 3,
    hooks: ['a', 'b', 'c', 'd', 'e', 'f'],
    isAssumed: true,
  });
});

test('finds a chain by its id, also one from before a restart, and takes no other text for one', () => {
  const chains = new ChainTracker(new ManualClock());
  chains.begin(chain);
  expect(chains.byId('one')).toBe(chain);
  expect(chains.byId('earlier')).toEqual({ id: 'earlier', depth: 1, hooks: [] });
  expect(chains.byId('no id\nat all')).toBeUndefined();
});

test('remembers a bounded number of chains and actions', async () => {
  const clock = new ManualClock();
  const chains = new ChainTracker(clock);
  for (let index = 0; index < 2_000; index += 1) {
    chains.begin({ id: `chain-${index}`, depth: 2, hooks: ['a', 'b'] })[Symbol.dispose]();
  }
  expect(chains.byId('chain-1999')?.hooks).toEqual(['a', 'b']);
  expect(chains.byId('chain-0')?.hooks).toEqual([]);
});
