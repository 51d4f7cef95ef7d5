import { expect, test } from 'vitest';
import { killWorkers } from './kill-workers.ts';

const url = process.env.ERRAND_TEST_POSTGRES ?? '';

test('workers are killed at any time: no mail is lost or sent twice, and each mailbox keeps its order', {
  timeout: 240_000,
}, async () => {
  const plan = { url, seed: 1, kills: 5, mailboxes: 20, bursts: 1, workers: 3 };
  const result = await killWorkers({ ...plan, leaseMs: 1_000, pauseMs: 400, stepMs: 100 });
  expect(result.flaws).toEqual([]);
  expect(result.mails).toBe(60);
});
