import { PostgresJobs } from '@errand/jobs/postgres';
import { expect, test } from 'vitest';
import { startPostgres } from './postgres.ts';

test.each(['stop', 'kill'] as const)(
  'work goes on after a %s of PostgreSQL: nothing is lost, no finished step runs again, and it is said what is wrong',
  async (end) => {
    await using postgres = await startPostgres();
    const ran: string[] = [];
    const faults: unknown[] = [];
    const gate = Promise.withResolvers<void>();
    const flows = {
      work: {
        run: async (input: unknown, { step }: Parameters<Flow>[1]) => {
          await step('first', () => void ran.push(`first ${input}`));
          await step('second', () => gate.promise.then(() => void ran.push(`second ${input}`)));
          return input;
        },
      },
    };
    const onFault = (error: unknown) => void faults.push(error);
    const open = () =>
      PostgresJobs.open({ url: postgres.url, flows, onFault, leaseMs: 60_000, patienceMs: 500 });
    await using a = await open();
    await using b = await open();
    const ids = Array.from({ length: 20 }, (_, index) => String(index));
    for (const id of ids) await a.start('work', id, { id, key: `mailbox ${Number(id) % 5}` });
    await expect.poll(() => ran.length).toBe(5);
    await postgres[end]();
    // Steps come to their end while nothing can be noted.
    gate.resolve();
    await expect(a.start('work', 'x', { id: 'x' })).rejects.toMatchObject({
      code: 'database_unavailable',
    });
    await expect
      .poll(() => [a.failure?.code, b.failure?.code])
      .toEqual(Array(2).fill('database_unavailable'));
    expect(faults[0]).toMatchObject({ code: 'database_unavailable' });
    await postgres.start();
    const isOver = async () => (await a.list({ state: 'done', limit: 100 })).length;
    await expect.poll(isOver, { timeout: 30_000 }).toBe(ids.length);
    expect(ran.toSorted()).toEqual(ids.flatMap((id) => [`first ${id}`, `second ${id}`]).toSorted());
    await expect.poll(() => a.failure).toBeUndefined();
  },
);

type Flow = NonNullable<Parameters<typeof PostgresJobs.open>[0]['flows'][string]>['run'];
