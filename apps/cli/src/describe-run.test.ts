import type { NoteRun } from '@errand/host';
import { expect, test } from 'vitest';
import { describeRun } from './describe-run.ts';

const run: NoteRun = {
  note: 'n.md',
  changed: false,
  results: [
    {
      line: 3,
      server: 'a',
      tool: 'b',
      status: 'error',
      attempts: 0,
      durationMs: 0,
      error: { code: 'session_limit', message: 'Session execution limit reached (2)' },
    },
  ],
  problems: [],
} as unknown as NoteRun;

test('names the option when its limit stops a run, and the session otherwise', () => {
  expect(describeRun(run, 2)).toContain('Stopped after 2 calls (--limit).\n');
  expect(describeRun(run)).toContain('Session execution limit reached (2)');
});
