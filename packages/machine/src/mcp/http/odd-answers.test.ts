import { expect, test } from 'vitest';
import { findAnswerFlaws } from '../../testing/find-answer-flaws.ts';

test('whatever a server answers over HTTP, every call ends and the host lives', async () => {
  expect(await findAnswerFlaws(1, 600)).toEqual([]);
}, 60_000);
