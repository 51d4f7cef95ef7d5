import { expect, test } from 'vitest';
import { findLineFlaws } from '../testing/find-line-flaws.ts';

test('hostile lines of a server harm neither the host nor another call', async () => {
  expect(await findLineFlaws(1, 1500)).toEqual([]);
}, 60_000);
