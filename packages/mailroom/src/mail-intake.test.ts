import type { MailSettings } from '@errand/host';
import { ManualClock } from '@errand/host/testing';
import type { JobEngine } from '@errand/jobs';
import { expect, test } from 'vitest';
import { type IntakePorts, MailIntake } from './mail-intake.ts';
import type { Mailbox, NewMails } from './mailbox.ts';

const usual = { query: 'in:inbox is:unread', label: 'Read by AI' } as MailSettings;
const stored = {
  machine: 'machine-1',
  since: '2026-02-03T12:00:00.500Z',
  last_history_id: 'h1',
};
const { signal } = new AbortController();

/** An intake of a mailbox that answers this, with what it was asked and which jobs began. */
function open(answers: {
  readonly news?: (historyId: string | undefined) => Partial<NewMails>;
  readonly found?: readonly string[];
}) {
  const asked: string[] = [];
  const begun: string[] = [];
  const mailbox = {
    find: async (query: string) => {
      asked.push(query);
      return { ids: answers.found ?? [], hasMore: false };
    },
    news: async (historyId: string | undefined) => {
      asked.push(`news since ${historyId ?? 'now'}`);
      const none = { ids: [], hasMore: false, isGone: false, historyId: 'h2' };
      return { ...none, ...answers.news?.(historyId) };
    },
  } as unknown as Mailbox;
  const jobs = {
    start: async (flow: string, input: { ids?: readonly string[] }, { id = '' } = {}) => {
      begun.push(flow === 'mail' ? id : `${flow} ${input.ids?.length}`);
      return { state: 'queued' };
    },
  } as unknown as JobEngine;
  const clock = new ManualClock();
  const ports = { mailbox, clock, jobs: () => jobs } as unknown as IntakePorts;
  const intake = new MailIntake(ports);
  const fetch = (settings = usual) => intake.fetch(settings, stored, signal);
  return { intake, asked, begun, fetch, clock };
}

const search = 'in:inbox is:unread -label:Read-by-AI after:1770119999';

test('a program searches once, for what is not labelled and came since the start, and follows the history then', async () => {
  const { asked, begun, fetch } = open({
    found: ['m1', 'm2'],
    news: (historyId) => (historyId === undefined ? {} : { ids: ['m2', 'm3'] }),
  });
  // Where the history is comes first: what arrives during the search is found again.
  expect(await fetch()).toEqual({ fetched: 2, historyId: 'h2' });
  expect(asked).toEqual(['news since now', search]);
  expect(begun).toEqual(['mail:m1', 'mail:m2', 'mail-labels 2']);
  asked.length = 0;
  begun.length = 0;
  expect(await fetch()).toEqual({ fetched: 1, historyId: 'h2' });
  expect(asked).toEqual(['news since h1']);
  expect(begun).toEqual(['mail:m3', 'mail-labels 1']);
});

test('a history that is gone is made up for by a search', async () => {
  const { asked, fetch } = open({ news: (historyId) => ({ isGone: historyId !== undefined }) });
  await fetch();
  asked.length = 0;
  expect(await fetch()).toEqual({ fetched: 0, historyId: 'h2' });
  expect(asked).toEqual(['news since h1', 'news since now', search]);
});

test('a history of many pages is read to its end', async () => {
  const pages: Record<string, Partial<NewMails>> = {
    h1: { ids: ['m1'], hasMore: true, historyId: 'h1.1' },
    'h1.1': { ids: ['m2'], hasMore: false, historyId: 'h3' },
  };
  const { fetch, begun } = open({ news: (historyId = '') => pages[historyId] ?? {} });
  await fetch();
  expect(await fetch()).toEqual({ fetched: 2, historyId: 'h3' });
  expect(begun).toEqual(['mail:m1', 'mail-labels 1', 'mail:m2', 'mail-labels 1']);
});

test('a search of one’s own is asked every time, because the history knows nothing of it', async () => {
  const { asked, fetch } = open({});
  const own = { ...usual, query: 'label:clients' };
  await fetch(own);
  await fetch(own);
  const query = search.replace('in:inbox is:unread', 'label:clients');
  expect(asked).toEqual([query, query]);
});

test('of very many mails fifty begin at a time, and the next ones once those are notes or took too long', async () => {
  const found = Array.from({ length: 120 }, (_, at) => `m${at}`);
  const { intake, begun, fetch, clock } = open({ found });
  const count = () => begun.filter((id) => id.startsWith('mail:')).length;
  const fetching = fetch();
  await clock.advance(0);
  expect(count()).toBe(50);
  for (const id of found.slice(0, 50)) intake.onStored(id);
  await clock.advance(0);
  expect(count()).toBe(100);
  await clock.advance(60_000);
  expect(await fetching).toMatchObject({ fetched: 120 });
  expect(count()).toBe(120);
});
