import { type BlockOutcome, fixedError } from '@errand/host';
import { expect, test } from 'vitest';
import { describeRunEnd } from './describe-run-end.ts';

const words = {
  say: ({ message }: { readonly message: string }) => `${message} So.`,
  runAgain: 'run all again.',
};
const done: BlockOutcome = {
  line: 3,
  server: 'files',
  tool: 'read',
  status: 'success',
  durationMs: 5,
  attempts: 1,
  written: true,
  error: null,
};
const failed = (
  line: number,
  message: string,
  status: BlockOutcome['status'] = 'error',
): BlockOutcome => ({
  ...done,
  line,
  status,
  error: { code: 'tool_failed', message },
});

test('counts what ran', () => {
  expect(describeRunEnd('a.md', [done, done], words)).toEqual({
    level: 'info',
    message: 'a.md: 2 done',
  });
});

test('says why blocks failed, with the advice of the face', () => {
  const off: BlockOutcome = {
    ...failed(9, '', 'refused'),
    error: fixedError('server_disabled', { server: 'files' }),
  };
  expect(describeRunEnd('a.md', [done, failed(5, 'It broke.\nAt x.'), off], words)).toEqual({
    level: 'error',
    message: 'a.md: 1 done, 1 failed, 1 refused',
    detail: 'Line 5, files · read: It broke.\nLine 9, files · read: Server files is disabled So.',
  });
});

test('shows some of many reasons', () => {
  const { detail = '' } = describeRunEnd(
    'a.md',
    [1, 2, 3, 4, 5, 6, 7].map((line) => failed(line, 'No.')),
    words,
  );
  expect(detail.split('\n')).toHaveLength(6);
  expect(detail).toMatch(/… and 2 more/);
});
