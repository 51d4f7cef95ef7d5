import { callRecord, MemoryCallLog } from '@errand/host/testing';
import { expect, test } from 'vitest';
import type { PastCall } from './call-view.ts';
import { type HistoryFilter, historyPage, readHistory, readSince } from './history.ts';

const call = (id: number, change: Partial<PastCall> = {}): PastCall => ({
  id: String(id),
  source: 'user-codeblock',
  server: 'files',
  tool: 'read',
  note: 'Daily/Today.md',
  line: 3,
  status: 'success',
  submittedAt: id,
  durationMs: 1,
  attempts: 1,
  resultBytes: 1,
  error: null,
  ...change,
});

test('shows a page and says how many are left', () => {
  const calls = Array.from({ length: 1_000 }, (_, id) => call(id));
  const { calls: shown, hidden } = historyPage(calls, { search: ' ', limit: 50 });
  expect([shown.length, hidden]).toEqual([50, 950]);
});

test.each([
  ['TODAY', ['1', '2']],
  ['failed', ['2']],
  ['mail send', ['3']],
  ['nothing like it', []],
])('finds calls by all words of a search: %s', (search, ids) => {
  const error = { code: 'tool_failed' as const, message: 'It said no.' };
  const calls = [
    call(1),
    call(2, { status: 'error', error }),
    call(3, { server: 'mail', tool: 'send', note: null }),
  ];
  expect(historyPage(calls, { search, limit: 50 }).calls.map(({ id }) => id)).toEqual(ids);
});

test('reads a page of the log by server, note, status, source and the call before it', async () => {
  const log = new MemoryCallLog();
  for (const id of ['1', '2', '3', '4']) log.append(callRecord({ id, tool: `tool-${id}` }));
  log.append(callRecord({ id: '5', status: 'error', source: 'gateway' }));
  const ids = async (filter: Omit<HistoryFilter, 'limit'>, limit = 100) => {
    const { calls, hidden } = await readHistory(log, { ...filter, limit });
    return [calls.map(({ id }) => id).join(''), hidden > 0];
  };
  expect(await ids({})).toEqual(['54321', false]);
  expect(await ids({}, 2)).toEqual(['54', true]);
  expect(await ids({ status: 'error' })).toEqual(['5', false]);
  expect(await ids({ source: 'gateway' })).toEqual(['5', false]);
  expect(await ids({ before: '4' }, 2)).toEqual(['32', true]);
  expect(await ids({ before: 'unknown' })).toEqual(['', false]);
  expect(await ids({ server: 'other' })).toEqual(['', false]);
  expect(await ids({ search: 'tool-3' })).toEqual(['3', false]);
  expect(await ids({ isFailed: true })).toEqual(['5', false]);
  expect(await ids({ since: log.records[2]?.submittedAt ?? 0 })).toEqual(['543', false]);
});

const now = Date.parse('2026-11-16T12:00Z');

test.each([
  ['90s', now - 90_000],
  ['30m', now - 1_800_000],
  ['2h', now - 7_200_000],
  ['3d', now - 259_200_000],
  ['2026-11-15', Date.parse('2026-11-15T00:00')],
  ['2026-11-15T09:30Z', Date.parse('2026-11-15T09:30Z')],
  ['2026-11-15 09:30', Date.parse('2026-11-15T09:30')],
  ['yesterday', undefined],
  ['2 h', undefined],
  ['5', undefined],
  ['2026-13-40', undefined],
])('reads %j as a time', (text, time) => {
  expect(readSince(text, now)).toBe(time);
});
