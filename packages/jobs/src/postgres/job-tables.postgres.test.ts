import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { Database } from './database.ts';
import { JobTables } from './job-tables.ts';

const url = process.env.ERRAND_TEST_POSTGRES ?? '';

test('what a worker writes about a job that another has is refused, and a worker that was taken out gets none', async () => {
  await using database = new Database({ url, space: `fence_${randomUUID().slice(0, 8)}` });
  await database.prepare();
  const tables = new JobTables(database);
  const enter = async () => {
    const [row] = await database.query(
      "INSERT INTO SPACE.workers (name, flows, lease_ms, started_at) VALUES ('w', '{a}', 1000, 0) RETURNING id",
    );
    return Number(row?.id);
  };
  const [late, current] = [await enter(), await enter()];
  const job = { id: 'j', flow: 'a', state: 'queued', input: null, createdAt: 1 } as const;
  expect(await tables.add({ job, width: 1 })).toBe(true);
  expect(await tables.claim(late, ['a'], 10)).toHaveLength(1);
  const step = {
    name: 's',
    state: 'done',
    attempts: 1,
    startedAt: 1,
    endedAt: 2,
    value: 1,
  } as const;
  expect(await tables.putStep(late, 'j', step)).toBe(true);
  await tables.signal('signal', 'j', 'go', 1);

  await database.query('SELECT SPACE.dismiss($1, NULL)', [late]);
  expect(await tables.claim(late, ['a'], 10)).toEqual([]);
  const [claimed] = await tables.claim(current, ['a'], 10);
  expect(claimed?.steps).toEqual([step]);

  // Of this worker, but from before: its end is noted already.
  await tables.putStep(current, 'j', { name: 's', state: 'started', attempts: 1, startedAt: 1 });
  expect((await tables.details('j'))?.steps).toMatchObject([{ name: 's', state: 'done' }]);

  expect(await tables.putStep(late, 'j', { ...step, value: 'late' })).toBe(false);
  await expect(tables.takeSignal(late, 'j', 'go', step)).rejects.toMatchObject({ code: 'lost' });
  expect(await tables.finish(late, 'j', { state: 'failed', endedAt: 3 })).toBe(false);
  await tables.release(late, ['j']);
  expect(await tables.held(current)).toEqual([{ id: 'j', news: ['signal j'] }]);
  expect(await tables.takeSignal(current, 'j', 'go', { ...step, name: 'wait' })).toEqual({
    value: 1,
  });
  expect(await tables.finish(current, 'j', { state: 'done', result: 1, endedAt: 3 })).toBe(true);
  expect(await tables.find('j')).toMatchObject({ state: 'done', result: 1 });
});
