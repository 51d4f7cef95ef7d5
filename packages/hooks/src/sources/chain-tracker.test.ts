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
  const action = chains.begin(chain, (path) => path.startsWith('Inbox/'));
  await clock.advance(10_000);
  const during = clock.monotonic();
  action[Symbol.dispose]();
  expect(chains.at(before, 'Inbox/n.md')).toBeUndefined();
  expect(chains.at(during, 'Inbox/n.md')).toEqual(chain);
  expect(chains.at(during, 'Other/n.md')).toBeUndefined();
  expect(chains.at(during + 2_000)).toEqual(chain);
  expect(chains.at(during + 2_001)).toBeUndefined();
});

test('of several actions the hooks of all count as run, in the last of the deepest chains', () => {
  const clock = new ManualClock();
  const chains = new ChainTracker(clock);
  chains.begin(deeper);
  chains.begin({ id: 'three', depth: 3, hooks: ['d', 'e', 'f'] });
  chains.begin(chain);
  expect(chains.at(clock.monotonic())).toEqual({
    id: 'three',
    depth: 3,
    hooks: ['a', 'b', 'c', 'd', 'e', 'f'],
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
