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

test('counts what was left as it is, and says how to run it again', () => {
  const [block] = run.results;
  const left = { ...block, status: 'skipped', error: { code: 'already_done', message: 'Done.' } };
  const done = { ...block, status: 'success', error: null };
  const text = (...results: unknown[]) => describeRun({ ...run, results } as NoteRun);
  expect(text(done, left, left)).toBe(
    [
      'n.md',
      '  line 3  a b  done',
      '  line 3  a b  already done',
      '  line 3  a b  already done',
      '1 done. The note is unchanged.',
      '2 already done; run them again with --again.',
      '',
    ].join('\n'),
  );
  expect(text(left)).toMatch(/\n1 already done; run it again with --again\.\n$/);
});

test('names the language of a block that no server was found for', () => {
  const [block] = run.results;
  const results = [{ ...block, server: null, language: 'wether' }];
  expect(describeRun({ ...run, results } as NoteRun)).toContain('  line 3  wether b  failed');
});

test('names the option when its limit stops a run, and the session otherwise', () => {
  expect(describeRun(run, 2)).toContain('Stopped after 2 calls (--limit).\n');
  expect(describeRun(run)).toContain('Session execution limit reached (2)');
});
