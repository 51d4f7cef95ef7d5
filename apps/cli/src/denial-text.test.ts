import { expect, test } from 'vitest';
import { denialText } from './denial-text.ts';

test('a denial says what to do, each thing once, with names as words of a shell', () => {
  const hook = "Ada's gate\n";
  const advice = [
    { kind: 'review-trust' },
    { kind: 'enable-hook', hook },
    { kind: 'review-trust' },
    { kind: 'disable-hook', hook: 'Gate' },
    { kind: 'try-again' },
    { kind: 'mend-hooks-file' },
  ] as const;
  expect(denialText({ runs: [], denial: 'No.', advice })?.split('\n')).toEqual([
    'No.',
    'Look at it and agree with: errand trust',
    "Let it run again with: errand hooks enable 'Ada'\\''s gate '",
    'Go on without it after: errand hooks disable Gate',
    'Try again in a moment.',
    'See what is wrong with: errand hooks',
  ]);
  expect(denialText({ runs: ['r'] })).toBeUndefined();
});
