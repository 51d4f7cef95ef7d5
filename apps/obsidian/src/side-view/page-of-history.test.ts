import type { LoggedCall } from '@errand/host';
import { expect, test } from 'vitest';
import { pageOfHistory } from './page-of-history.ts';

const call = (id: number, change: Partial<LoggedCall> = {}): LoggedCall => ({
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
  const { calls: shown, hidden } = pageOfHistory(calls, ' ', 50);
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
  expect(pageOfHistory(calls, search, 50).calls.map(({ id }) => id)).toEqual(ids);
});
