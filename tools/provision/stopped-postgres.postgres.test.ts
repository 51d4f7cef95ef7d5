import { expect, test } from 'vitest';
import { breakDatabase } from '../../test/workers/outages.ts';
import { startPostgres } from './postgres.ts';

test('PostgreSQL hangs, is stopped and killed, and connections are cut: work goes on, nothing is lost or sent twice, and workers say what is wrong', {
  timeout: 240_000,
}, async () => {
  await using postgres = await startPostgres();
  const plan = { seed: 1, leaseMs: 800, outageMs: 1_000, mailboxes: 10, stepMs: 60 };
  expect(await breakDatabase(postgres, plan)).toEqual([]);
});
