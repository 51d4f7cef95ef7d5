import { expect, test } from 'vitest';
import type { SendRecord, SendState } from './ledger.ts';
import { nextStep, type Observations, settleTime } from './next-step.ts';

const now = 1_800_000_000_000;

function step(
  state: SendState,
  age: number,
  seen: Observations = {},
  owner = 'other',
  isKeyed = true,
) {
  const record: SendRecord = {
    key: 'k',
    contentHash: 'h',
    state,
    version: 1,
    owner,
    createdAt: now - age,
    changedAt: now - age,
  };
  return nextStep(record, { owner: 'me', now, isKeyed }, seen);
}

const old = settleTime;

test.each<[SendState, Observations, string]>([
  ['intent', {}, 'find-orphan'],
  ['intent', { orphan: 'found' }, 'adopt-orphan'],
  ['intent', { orphan: 'none' }, 'create-draft'],
  ['drafting', {}, 'find-orphan'],
  ['drafting', { orphan: 'found' }, 'adopt-orphan'],
  ['drafting', { orphan: 'none' }, 'look-for-copy'],
  ['drafting', { orphan: 'none', copy: 'found' }, 'record-copy'],
  ['drafting', { orphan: 'none', copy: 'none' }, 'create-draft'],
  ['drafted', {}, 'look-at-draft'],
  ['drafted', { draft: 'same' }, 'send-draft'],
  ['drafted', { draft: 'other' }, 'give-up'],
  ['drafted', { draft: 'gone' }, 'look-for-copy'],
  ['sending', {}, 'look-at-draft'],
  ['sending', { draft: 'same' }, 'send-draft'],
  ['sending', { draft: 'other' }, 'give-up'],
  ['sending', { draft: 'gone' }, 'look-for-copy'],
  ['sending', { draft: 'gone', copy: 'found' }, 'record-copy'],
  ['sending', { draft: 'gone', copy: 'none' }, 'give-up'],
  ['sent', {}, 'answer'],
  ['unclear', {}, 'look-for-copy'],
  ['unclear', { draft: 'same', copy: 'none' }, 'refuse'],
  ['unclear', { copy: 'found' }, 'record-copy'],
])('goes on from %s with %j by %s', (state, seen, kind) => {
  expect(step(state, old, seen)).toEqual({ kind });
  expect(step(state, old, seen, 'me')).toEqual({ kind });
});

test.each<SendState>(['intent', 'drafting', 'drafted', 'sending'])(
  'leaves %s alone while another process may act on it',
  (state) => {
    expect(step(state, 1000)).toEqual({ kind: 'wait', milliseconds: settleTime - 1000 });
    expect(step(state, -1000)).toEqual({ kind: 'restamp' });
  },
);

test('waits for its own lost requests, and for nothing else of its own', () => {
  for (const state of ['drafting', 'sending'] as const) {
    expect(step(state, 0, {}, 'me')).toMatchObject({ kind: 'wait' });
    expect(step(state, -5, {}, 'me')).toEqual({ kind: 'restamp' });
  }
  expect(step('intent', 0, {}, 'me')).toEqual({ kind: 'find-orphan' });
  // Without a key, nobody else can have begun the same mail.
  expect(step('intent', 0, {}, 'me', false)).toEqual({ kind: 'create-draft' });
  expect(step('drafted', 0, {}, 'me')).toEqual({ kind: 'look-at-draft' });
});

test('never makes a draft anew once one was known', () => {
  for (const state of ['drafted', 'sending', 'unclear'] as const) {
    for (const draft of [undefined, 'same', 'other', 'gone'] as const) {
      for (const copy of [undefined, 'found', 'none'] as const) {
        const seen = { ...(draft && { draft }), ...(copy && { copy }) };
        const { kind } = step(state, old, seen);
        expect(kind).not.toBe('create-draft');
        if (state === 'unclear') expect(kind).not.toBe('send-draft');
      }
    }
  }
});
