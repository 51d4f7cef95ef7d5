import type { MailSettings } from '@errand/host';
import { expect, onTestFinished, test } from 'vitest';
import { MailRounds, type RoundPorts } from './mail-rounds.ts';
import { ToolFailure } from './mcp-client.ts';
import type { RoundAction } from './plan-round.ts';
import { openPorts } from './testing/open-ports.ts';

const settings = { remindHours: 24, expireHours: 48 } as MailSettings;
const draft = { type: 'draft_reply', to: 'ada@example.org', subject: 'Hi' };

/** Rounds over three approved drafts, what they do and what becomes of the mailbox. */
function open(
  act: (action: RoundAction) => void = () => undefined,
  { obstacle, fetch = async () => ({ fetched: 2, historyId: 'h2' }) }: Partial<Given> = {},
) {
  const place = openPorts(onTestFinished);
  for (const name of ['a', 'b', 'c']) place.write(`Approved/${name}.md`, draft);
  const now = { obstacle };
  const seen: string[] = [];
  const happened: unknown[] = [];
  const note = (what: string) => (value?: unknown) =>
    void happened.push(value === undefined ? what : [what, value]);
  const ports = {
    ...place.ports,
    settings: () => settings,
    mailbox: { account: async () => 'owner@example.org' },
    claim: {
      obstacle: async () => now.obstacle,
      stored: async () => ({ machine: 'machine-1', since: '' }),
      keepPoll: async (...kept: readonly unknown[]) => void happened.push(['kept', ...kept]),
    },
    intake: { fetch, count: async () => ({ count: 7, hasMore: false }) },
    actions: {
      refresh: async () => undefined,
      do: async (action: RoundAction) => {
        seen.push(action.note.path);
        act(action);
        return 'sent';
      },
    },
    timer: { succeeded: note('succeeded'), failed: note('failed') },
    trouble: { note: note('trouble'), clear: note('clear'), clearDisk: note('clear disk') },
    signal: new AbortController().signal,
  };
  const rounds = new MailRounds(ports as unknown as RoundPorts);
  return { ...place, rounds, now, seen, happened };
}

interface Given {
  readonly obstacle: string | undefined;
  readonly fetch: () => Promise<{ fetched: number; historyId?: string }>;
}

const paths = ['Approved/a.md', 'Approved/b.md', 'Approved/c.md'];

test('a note that fails keeps no other waiting, and is told', async () => {
  const error = new Error('Broken.');
  const { rounds, seen, happened } = open(({ note }) => {
    if (note.path === 'Approved/a.md') throw error;
  });
  expect(await rounds.round(false)).toMatchObject({ sent: 2, failed: 1 });
  expect(seen.toSorted()).toEqual(paths);
  expect(happened).toEqual([['trouble', error]]);
});

test('what fails because a note was moved or changed meanwhile is no trouble', async () => {
  const place = open(({ note }) => {
    if (note.path === 'Approved/a.md') place.move(note.path, 'Drafts/a.md');
    if (note.path === 'Approved/b.md') place.write(note.path, draft, 'A longer text\n');
    throw new ToolFailure('conflict', 'No.');
  });
  expect(await place.rounds.round(false)).toMatchObject({ sent: 0, failed: 1 });
  expect(place.happened).toHaveLength(1);
});

test('a round that fetches keeps how far it came, once the mailbox has answered', async () => {
  const { rounds, happened } = open();
  expect(await rounds.round(true)).toMatchObject({ fetched: 2, sent: 3, isDryRun: false });
  expect(happened).toEqual([
    'succeeded',
    'clear',
    ['kept', 'owner@example.org', 'h2'],
    'clear disk',
  ]);
});

test('a mailbox that fails is left alone for as long as it asks, and what is approved is tried all the same', async () => {
  const busy = new ToolFailure('rate_limited', 'Slow down.', { retry_after: 90 });
  const { rounds, happened, seen } = open(undefined, { fetch: () => Promise.reject(busy) });
  expect(await rounds.round(true)).toMatchObject({ fetched: 0, sent: 3 });
  expect(happened).toEqual([
    ['failed', 90_000],
    ['trouble', busy],
  ]);
  expect(seen).toHaveLength(3);
});

test.each(['paused', 'elsewhere', 'shared', 'off', 'first-start'])(
  'nothing is fetched and nothing done while it is %s',
  async (obstacle) => {
    const { rounds, seen } = open(undefined, { obstacle });
    expect(await rounds.round(true)).toMatchObject({ fetched: 0, sent: 0 });
    expect(seen).toEqual([]);
    expect(rounds.unread).toEqual(obstacle === 'first-start' ? { unread: 7 } : undefined);
  },
);

test('a pause that comes while mail is fetched keeps the round from doing anything', async () => {
  const { rounds, now, seen } = open(undefined, {
    fetch: async () => {
      now.obstacle = 'paused';
      return { fetched: 2 };
    },
  });
  expect(await rounds.round(true)).toMatchObject({ fetched: 2, sent: 0 });
  expect(seen).toEqual([]);
});

test('mails of the last hour count for their senders after a restart', async () => {
  const place = open();
  const fetched_at = new Date(place.clock.now() - 1_000).toISOString();
  for (const id of ['m1', 'm2'])
    place.write(`Needs_Action/${id}.md`, {
      type: 'email',
      status: 'needs_info',
      message_id: id,
      from: 'Ada <ada@example.org>',
      fetched_at,
    });
  await place.rounds.round(false);
  expect(await place.ports.senders.recent('ada@example.org', 'another')).toBe(2);
});
